/** Reads an undo log in constant memory, in either direction. */
import * as fs from 'node:fs';
import { crc32 } from 'node:zlib';
import { InputError, UsageError } from '@utf8/dump';
import { attempt } from '@utf8/dump/internal';
import { toPath } from '@utf8/files';
import {
  isHeaderStart,
  parseEnd,
  parseHeader,
  parseLine,
  type UndoLogEnd,
  type UndoLogHeader,
  type UndoLogLine,
} from './line.js';

/** Bytes that are read at once. */
const SIZE = 1 << 16;

const LINE_FEED = 0x0a;

/** An undo log that has been read once, and is not damaged. */
export interface UndoLogSummary {
  readonly header: UndoLogHeader;
  /** Length of the header, in bytes. */
  readonly start: number;
  /** Offset of the end of the last complete line of a value, in bytes. */
  readonly size: number;
  /** CRC-32 of the first `size` bytes. */
  readonly sum: number;
  /** Number of lines of values. */
  readonly lines: number;
  /** True if the undo log has a last line, which only a finished run writes. */
  readonly isComplete: boolean;
}

/**
 * Reads an undo log from its start, and checks each line.
 *
 * @param most - Bytes that belong to it; later lines were never committed.
 * @param onLine - Receives every line, and may throw.
 * @returns Undefined if a kill has cut off the header, so that it has no lines.
 * @throws InputError if it cannot be read, or is damaged; UsageError if it is not an undo log.
 */
export function checkUndoLog(
  path: string,
  most: number = Number.POSITIVE_INFINITY,
  onLine: (line: UndoLogLine, number: number) => void = () => {},
): UndoLogSummary | undefined {
  const read = (): UndoLogSummary | undefined => {
    const fd = fs.openSync(toPath(path), 'r');
    try {
      return check(path, fd, most, onLine);
    } finally {
      fs.closeSync(fd);
    }
  };
  return attempt(path, read, InputError);
}

function check(
  path: string,
  fd: number,
  most: number,
  onLine: (line: UndoLogLine, number: number) => void,
): UndoLogSummary | undefined {
  let header: UndoLogHeader | undefined;
  let end: UndoLogEnd | undefined;
  let [start, size, sum, number] = [0, 0, 0, 0];
  /** The start of a line that continues: parts, since a line may be long. */
  let parts: Buffer[] = [];
  const memory = Buffer.alloc(SIZE);
  for (let position = 0; position < most; ) {
    const count = fs.readSync(fd, memory, 0, Math.min(SIZE, most - position), position);
    if (count === 0) break;
    position += count;
    let from = 0;
    for (;;) {
      const feed = memory.subarray(0, count).indexOf(LINE_FEED, from);
      if (feed === -1) break;
      const line = Buffer.concat([...parts, memory.subarray(from, feed + 1)]);
      parts = [];
      from = feed + 1;
      const text = line.toString('utf8', 0, line.length - 1);
      number++;
      const damaged = new InputError(`${path}:${number}: is damaged; copy the file again`);
      if (end) throw damaged;
      end = parseEnd(text);
      if (end) {
        if (end.end !== number - 2 || end.of !== sum) throw damaged;
        continue;
      }
      size += line.length;
      sum = crc32(line, sum);
      if (number === 1) {
        header = parseHeader(text);
        if (!header) throw refuseHeader(path, text);
        start = size;
        continue;
      }
      const parsed = parseLine(text);
      if (!parsed) throw damaged;
      onLine(parsed, number);
    }
    if (from < count) parts.push(Buffer.from(memory.subarray(from, count)));
    // No header is as long as this.
    if (!header && parts.length > 1) throw refuseHeader(path, '');
  }
  if (end && parts.length > 0) {
    throw new InputError(`${path}:${number + 1}: is damaged; copy the file again`);
  }
  const isComplete = end !== undefined;
  const lines = number - (isComplete ? 2 : 1);
  if (header) return { header, start, size, sum, lines, isComplete };
  const text = Buffer.concat(parts).toString('latin1');
  if (!isHeaderStart(text)) throw refuseHeader(path, text);
  return undefined;
}

function refuseHeader(path: string, text: string): UsageError {
  const isOther = isHeaderStart(text) && text !== '' && !text.startsWith('{"undoLog":2,');
  return new UsageError(
    isOther
      ? `${path}: was written by another version of utf8`
      : `${path}: is not the undo log of a repair; choose another file`,
  );
}

/** Reads lines from the last to the first: each with the place of its start, in bytes. */
export function* readBackwards(
  path: string,
  start: number,
  end: number,
): Generator<{ text: string; at: number }, void, undefined> {
  const fd = attempt(path, () => fs.openSync(toPath(path), 'r'), InputError);
  try {
    /** The bytes from `position` to the end of the line that is being read, in reverse order of reading. */
    let parts: Buffer[] = [];
    const join = (): string => {
      const text = Buffer.concat(parts.reverse()).toString();
      parts = [];
      return text;
    };
    // The line feed at the end belongs to no line that follows.
    for (let position = end - 1; position > start; ) {
      const length = Math.min(SIZE, position - start);
      const memory = Buffer.alloc(length);
      const read = () => fs.readSync(fd, memory, 0, length, position - length);
      const count = attempt(path, read, InputError);
      if (count < length) throw new InputError(`${path}: was truncated while it was read`);
      let before = length;
      for (;;) {
        const feed = memory.subarray(0, before).lastIndexOf(LINE_FEED);
        if (feed === -1) break;
        parts.push(memory.subarray(feed + 1, before));
        yield { text: join(), at: position - length + feed + 1 };
        before = feed;
      }
      parts.push(memory.subarray(0, before));
      position -= length;
    }
    if (end > start) yield { text: join(), at: start };
  } finally {
    fs.closeSync(fd);
  }
}
