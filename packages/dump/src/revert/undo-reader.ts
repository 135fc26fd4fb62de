/** Reads an undo log, line by line. */
import { InputError } from '../error.js';
import { chunks } from '../open/chunks.js';
import type { Source } from '../open/source.js';
import type { Splice, UndoFooter } from '../sink/undo.js';

const LF = 0x0a;

/** In bytes: no line is as long as this. */
const MOST = 1 << 20;

/** In bytes: the last line is shorter than this. */
const TAIL = 1 << 12;

/**
 * Reads the splices, in order, and the footer last.
 *
 * @param size - Of the file that the log should belong to, in bytes, if that is known.
 * @throws {@link InputError} if it is not an undo log, is incomplete, or belongs to another file.
 */
export async function* readUndo(
  source: Source,
  size: number | undefined,
): AsyncGenerator<Splice | UndoFooter, void, undefined> {
  await checkFooter(source, size);
  let number = 0;
  let position = 0;
  let isComplete = false;
  for await (const text of readLines(source)) {
    number++;
    const line = parse(text);
    if (number === 1) {
      if (line?.undo !== 1) throw notUndo(source);
      continue;
    }
    if (isSplice(line) && !isComplete && line.at >= position) {
      position = line.at + line.length;
      yield line;
    } else if (isFooter(line) && !isComplete && line.output.size >= position) {
      isComplete = true;
      yield line;
    } else {
      throw new InputError(`${source.name}: line ${number} is damaged; copy the file again`);
    }
  }
  if (number === 0) throw notUndo(source);
  if (!isComplete) throw incomplete(source);
}

/** Looks at the end first, if that can be read, so that a wrong pair of files fails at once. */
async function checkFooter(source: Source, size: number | undefined): Promise<void> {
  if (source.size === undefined || source.size === 0) return;
  const memory = new Uint8Array(Math.min(TAIL, source.size));
  const count = await source.read(memory, source.size - memory.length);
  const text = Buffer.from(memory.subarray(0, count)).toString('latin1');
  const footer = parse(text.slice(text.lastIndexOf('\n', text.length - 2) + 1));
  // Anything else that is wrong is found when it is read from its start.
  if (!isFooter(footer) || size === undefined || footer.output.size === size) return;
  throw new InputError(
    `${source.name}: belongs to a file of ${footer.output.size} bytes, not ${size}; name the output of that run, unchanged`,
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
    // In the copy, since the next chunk overwrites this one.
    rest = bytes.subarray(start);
    if (rest.length > MOST) throw notUndo(source);
  }
  if (rest.length > 0) throw incomplete(source);
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

const notUndo = ({ name }: Source): InputError =>
  new InputError(`${name}: is not an undo log; name the file that --undo wrote`);

const incomplete = ({ name }: Source): InputError =>
  new InputError(
    `${name}: is incomplete: its run was interrupted; finish that run with --resume, or copy the whole file again`,
  );
