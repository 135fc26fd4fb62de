export { Buffer } from 'buffer';
