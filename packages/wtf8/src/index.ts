export { concat } from './concat.js';
export * from './generated/index.js';
