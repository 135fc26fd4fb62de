/**
 * Shared parts of packages that write files: outputs that appear whole or not at all, owners and locks,
 * interrupts, and names as bytes. Private: each package that uses it contains a copy.
 *
 * @packageDocumentation
 */
export {
  AtomicFile,
  type AtomicFileOptions,
  describeNew,
  findReplaced,
  type Kept,
  type Replaced,
  removeTemporary,
} from './atomic-file.js';
export { checksum, toHex } from './checksum.js';
export {
  createToken,
  isDerived,
  listReserved,
  nameCheckpoint,
  nameLock,
  nameNewCheckpoint,
  nameTemporary,
  TOKEN,
} from './derived-name.js';
export { discardUnfinished, whenInterrupted } from './interrupt.js';
export { LockedError, lock } from './lock.js';
export { findTarget, fromPath, toPath } from './name.js';
export { hasName, openOwn, SAFE, UntrustedError, untrusted } from './own-file.js';
export { describeOwner, isAlive, isLocal, isOwner, nameHost, type Owner } from './owner.js';
export { holdAt, stopAt } from './stop-point.js';
export { replaceFile, syncFolder, writeAll } from './write.js';
