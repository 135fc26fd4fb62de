/**
 * An index of a file: places where a unit begins, about a MiB apart, so that a range need not be read from
 * the start of the file. It consists of JSON Lines: a head, the cuts in order, and a last line with a
 * checksum of all others.
 */

import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { checksum, toHex, toPath } from '@utf8/files';
import manifest from '../../package.json' with { type: 'json' };
import type { RangeStart } from '../cut/start.js';
import { InputError, ioError, UsageError } from '../error.js';
import type { ReaderState } from '../format/format.js';
import { isSet } from '../format/registry.js';
import { LF } from '../format/shared/ascii.js';
import type { Source } from '../open/source.js';
import { opt, phrase } from '../phrase.js';
import type { FormatChoice } from '../pool/work.js';
import { applyDelta, type Delta } from './delta.js';

const VERSION = 1;

/** Start of every index. */
const START = '{"index":';

/** Bytes before a cut by which it is known again. */
const WITNESS = 64;

/** Bytes to read at once while looking for a line. */
const STEP = 1 << 16;

/** The first line: the options that decide where units begin. */
interface IndexHead {
  readonly index: typeof VERSION;
  /** The version of utf8: another one may read the states of cuts differently. */
  readonly version: string;
  readonly format: string;
  /** Checksums of the options of the format that are set, by name. */
  readonly options: Readonly<Record<string, string>>;
  /** Of the file, in bytes. */
  readonly size: number;
  /** Time of the last change of the file, in nanoseconds since 1970. */
  readonly modified: string;
}

/** A line for a place where a unit begins. */
export interface CutLine {
  /** In bytes. */
  readonly offset: number;
  readonly line: number;
  readonly record: number;
  /** Change of the context of a reader since the cut before; for the first cut, since null. */
  readonly context?: Delta | undefined;
  /** Checksum of the bytes before it. */
  readonly before: string;
}

/** The last line. */
interface IndexEnd {
  readonly cuts: number;
  /** Of all lines before this one, with their line feeds. */
  readonly checksum: string;
}

/** An index that belongs to a file and to the options of a run. */
export class CutIndex {
  readonly #path: string;
  readonly #source: Source;
  readonly #lines: readonly string[];

  private constructor(path: string, source: Source, lines: readonly string[]) {
    this.#path = path;
    this.#source = source;
    this.#lines = lines;
  }

  /**
   * Reads the index of a file; undefined if there is none.
   *
   * @throws {@link UsageError} if it is damaged, or does not belong to the file and the options.
   */
  static read(path: string, source: Source, format: FormatChoice): CutIndex | undefined {
    if (!isIndex(path)) return undefined;
    const bytes = attempt(path, () => readFileSync(toPath(path)));
    const [head, ...cuts] = parse(path, bytes);
    requireSame(path, source, head as string, format);
    return new CutIndex(path, source, cuts);
  }

  /**
   * Finds the last cut up to an offset, or the start of the file.
   *
   * @throws {@link UsageError} if the bytes before the cut have changed.
   */
  async findCut(offset: number): Promise<RangeStart> {
    return this.#find((cut) => cut.offset <= offset);
  }

  /** Finds the offset at which a line begins. */
  async findLine(line: number): Promise<number> {
    const { offset: from, state } = await this.#find((cut) => cut.line < line);
    const memory = new Uint8Array(STEP);
    let left = line - (state?.line ?? 1);
    for (let offset = from; left > 0; ) {
      const bytes = memory.subarray(0, await this.#source.read(memory, offset));
      if (bytes.length === 0) break;
      let next = 0;
      for (let feed = bytes.indexOf(LF); feed !== -1 && left > 0; feed = bytes.indexOf(LF, next)) {
        next = feed + 1;
        left--;
      }
      if (left === 0) return offset + next;
      offset += bytes.length;
    }
    return from;
  }

  async #find(isWanted: (cut: CutLine) => boolean): Promise<RangeStart> {
    let found: CutLine | undefined;
    let context: unknown = null;
    for (const each of this.#lines) {
      const cut: CutLine = JSON.parse(each);
      if (!isWanted(cut)) break;
      if (cut.context) context = applyDelta(context, cut.context);
      found = cut;
    }
    if (!found) return { offset: 0, state: undefined, isCounted: true };
    const { offset, line, record, before } = found;
    if (before !== (await sumBefore(this.#source, offset))) {
      throw changed(this.#path, this.#source.name);
    }
    const state: ReaderState = { line, record, context };
    return { offset, state, isCounted: true };
  }
}

/** Describes the file of an index, and how it is read. */
export const describeHead = ({ size, modified }: Source, format: FormatChoice): IndexHead => ({
  index: VERSION,
  version: manifest.version,
  format: format.name,
  options: Object.fromEntries(
    Object.entries(format.options)
      .filter(([name, value]) => isSet(format.name, name, value))
      .map(([name, value]) => [name, toHex(checksum(JSON.stringify(value)))]),
  ),
  size: size as number,
  modified: `${modified}`,
});

/** Completes an index of lines without their line feeds. */
export function formatIndex(head: IndexHead, cuts: readonly string[]): Buffer {
  const text = [JSON.stringify(head), ...cuts].map((line) => `${line}\n`).join('');
  const end: IndexEnd = { cuts: cuts.length, checksum: toHex(checksum(text)) };
  return Buffer.from(`${text}${JSON.stringify(end)}\n`);
}

/** Computes the checksum of the bytes before an offset, by which they are known again. */
export async function sumBefore(source: Source, offset: number): Promise<string> {
  const memory = new Uint8Array(Math.min(WITNESS, offset));
  let done = 0;
  for (let count = -1; count !== 0 && done < memory.length; done += count) {
    count = await source.read(memory.subarray(done), offset - memory.length + done);
  }
  return toHex(checksum(memory.subarray(0, done)));
}

/**
 * Checks whether a path is that of an index of any file; false if no file is there.
 *
 * @throws {@link UsageError} if the file there is not an index.
 */
export function isIndex(path: string): boolean {
  const stats = attempt(path, () => statSync(toPath(path), { throwIfNoEntry: false }));
  if (!stats) return false;
  if (!stats.isFile())
    throw new UsageError(phrase`${opt('index')} requires a regular file; ${path} is not one`);
  const head = Buffer.alloc(START.length);
  attempt(path, () => {
    const fd = openSync(toPath(path), 'r');
    try {
      readSync(fd, head, 0, head.length, 0);
    } finally {
      closeSync(fd);
    }
  });
  if (head.toString('latin1') === START) return true;
  throw new UsageError(`${path}: is not an index of utf8; choose another file`);
}

function attempt<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw ioError(path, error, InputError);
  }
}

/** Returns the lines except the last one, which proves them. */
function parse(path: string, bytes: Buffer): string[] {
  const [, index, version] =
    /^\{"index":(\d+),"version":"([^"\n]*)",/.exec(bytes.toString('latin1', 0, HEAD)) ?? [];
  if (index !== undefined && (index !== `${VERSION}` || version !== manifest.version)) {
    throw refuse(path, 'was written by another version of utf8');
  }
  const start = bytes.lastIndexOf(LF, -2) + 1;
  const lines = bytes.toString('utf8', 0, start).split('\n').slice(0, -1);
  const end: IndexEnd = {
    cuts: lines.length - 1,
    checksum: toHex(checksum(bytes.subarray(0, start))),
  };
  if (bytes.toString('latin1', start) === `${JSON.stringify(end)}\n`) return lines;
  throw refuse(path, 'is damaged or incomplete');
}

/** Bytes of the first line that contain the versions. */
const HEAD = 256;

function requireSame(path: string, source: Source, line: string, format: FormatChoice): void {
  const before: IndexHead = JSON.parse(line);
  const after = describeHead(source, format);
  const names = Object.keys({ ...before.options, ...after.options });
  const other =
    before.format === after.format
      ? names.find((name) => before.options[name] !== after.options[name])
      : 'format';
  if (other !== undefined) {
    throw new UsageError(
      phrase`${path}: was written with a different ${opt(other)}; use the same, or remove this file to write it again`,
    );
  }
  if (before.size === after.size && before.modified === after.modified) return;
  throw changed(path, source.name);
}

const changed = (path: string, name: string): UsageError =>
  refuse(path, `belongs to another file, or ${name} has changed since it was written`);

const refuse = (path: string, why: string): UsageError =>
  new UsageError(`${path}: ${why}; to write it again, remove this file`);
