/** Reads what `--undo` wrote, line by line. */
import { chunks } from '../chunks.js';
import { InputFailure } from '../failure.js';
import type { Source } from '../source.js';
import type { Splice, UndoFooter } from './undo.js';

const LF = 0x0a;

/** Longer lines than this, in bytes, nobody wrote. */
const MOST = 1 << 20;

/** How far from its end a file is searched for its last line, in bytes. */
const TAIL = 1 << 12;

/**
 * Reads the splices, in order, and the footer last.
 *
 * @param size - Of the file that it belongs to, in bytes; undefined where that is not known.
 * @throws {@link InputFailure} where it is no such file, is cut short, or belongs to another file.
 */
export async function* readUndo(
  source: Source,
  size: number | undefined,
): AsyncGenerator<Splice | UndoFooter, void, undefined> {
  await checkFooter(source, size);
  let number = 0;
  let position = 0;
  let isOver = false;
  for await (const text of readLines(source)) {
    number++;
    const line = parse(text);
    if (number === 1) {
      if (line?.undo !== 1) throw isNone(source);
      continue;
    }
    if (isSplice(line) && !isOver && line.at >= position) {
      position = line.at + line.length;
      yield line;
    } else if (isFooter(line) && !isOver && line.output.size >= position) {
      isOver = true;
      yield line;
    } else {
      throw new InputFailure(`${source.name}: line ${number} is damaged; copy the file again`);
    }
  }
  if (number === 0) throw isNone(source);
  if (!isOver) throw isCut(source);
}

/** Looks at the end first, where a file has one, so that nobody waits for what cannot go well. */
async function checkFooter(source: Source, size: number | undefined): Promise<void> {
  if (source.size === undefined || source.size === 0) return;
  const memory = new Uint8Array(Math.min(TAIL, source.size));
  const count = await source.read(memory, source.size - memory.length);
  const text = Buffer.from(memory.subarray(0, count)).toString('latin1');
  const footer = parse(text.slice(text.lastIndexOf('\n', text.length - 2) + 1));
  // What is wrong with it is said by who reads it from the start.
  if (!isFooter(footer) || size === undefined || footer.output.size === size) return;
  throw new InputFailure(
    `${source.name}: belongs to a file of ${footer.output.size} bytes, and this one has ${size}; name the output of that run, as it was`,
  );
}

async function* readLines(source: Source): AsyncGenerator<string, void, undefined> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks(source)) {
    const bytes = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let feed = bytes.indexOf(LF); feed !== -1; feed = bytes.indexOf(LF, start)) {
      yield bytes.toString('latin1', start, feed);
      start = feed + 1;
    }
    // The memory of the chunk is used again, that of the copy is not.
    rest = bytes.subarray(start);
    if (rest.length > MOST) throw isNone(source);
  }
  if (rest.length > 0) throw isCut(source);
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === 'object' && line !== null
      ? (line as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

type Line = Record<string, unknown> | undefined;

const isSize = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

const isSplice = (line: Line): line is Line & Splice =>
  line !== undefined &&
  isSize(line.at) &&
  isSize(line.length) &&
  typeof line.bytes === 'string' &&
  /^(?:[\da-f]{2})*$/.test(line.bytes);

const isFooter = (line: Line): line is Line & UndoFooter =>
  line !== undefined && isMark(line.original) && isMark(line.output);

const isMark = (value: unknown): boolean => {
  const { size, digest } = (value ?? {}) as { size?: unknown; digest?: unknown };
  return isSize(size) && typeof digest === 'string';
};

const isNone = ({ name }: Source): InputFailure =>
  new InputFailure(`${name}: was not written by --undo; name the file that was`);

const isCut = ({ name }: Source): InputFailure =>
  new InputFailure(
    `${name}: has no end, since the run that wrote it had none, or since it was not copied whole; finish that run with --resume, or copy the file again`,
  );
