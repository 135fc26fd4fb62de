export * from './generated/index.js';
export { concat } from './concat.js';
