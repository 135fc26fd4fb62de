/** Keeps two processes from writing one journal. */
import * as fs from 'node:fs';
import { hostname } from 'node:os';
import {
  BusyError,
  createToken,
  describeOwner,
  isAlive,
  nameLock,
  nameTemporary,
  type Owner,
  toPath,
} from '@utf8/dump';
import { attempt, removeLater } from '../new-file.js';

/**
 * Locks a journal by a file next to it. What a process left that was killed is taken over.
 *
 * @returns A function that unlocks it.
 * @throws BusyError (`ERR_UTF8_BUSY`) if another process writes the journal.
 */
export function lockJournal(journal: string): () => void {
  const path = nameLock(journal);
  const temporary = nameTemporary(journal, createToken());
  // The token tells it from other locks of the same process.
  const text = JSON.stringify({ ...describeOwner(), run: createToken() });
  return attempt(path, () => {
    fs.writeFileSync(toPath(temporary), text, { mode: 0o600 });
    try {
      // Linking it is one step, so that a lock always names its owner.
      if (!link(temporary, path)) {
        removeDead(path, journal);
        if (!link(temporary, path)) throw busy(journal);
      }
    } finally {
      fs.rmSync(toPath(temporary), { force: true });
    }
    return removeLater(path, text);
  });
}

function link(from: string, to: string): boolean {
  try {
    fs.linkSync(toPath(from), toPath(to));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function removeDead(path: string, journal: string): void {
  const dead = nameTemporary(journal, createToken());
  try {
    const text = fs.readFileSync(toPath(path), 'utf8');
    const owner = parseOwner(text);
    if (!owner) throw busy(journal, `; if none is, remove ${path}`);
    if (owner.host !== hostname()) {
      throw busy(journal, ` on ${owner.host}; if none is, remove ${path}`);
    }
    if (isAlive(owner)) throw busy(journal);
    fs.renameSync(toPath(path), toPath(dead));
    // Another process may have been faster, and this is its lock.
    if (fs.readFileSync(toPath(dead), 'utf8') === text) return;
    link(dead, path);
    throw busy(journal);
  } catch (error) {
    // Its run may end at any moment.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  } finally {
    fs.rmSync(toPath(dead), { force: true });
  }
}

function parseOwner(text: string): Owner | undefined {
  try {
    const owner: Owner = Object(JSON.parse(text));
    return typeof owner.host === 'string' && typeof owner.pid === 'number' ? owner : undefined;
  } catch {
    return undefined;
  }
}

const busy = (path: string, more = '; try again when it has ended'): BusyError =>
  new BusyError(`${path}: another process is writing this journal${more}`);
