import { statSync } from 'node:fs';
import { toPath } from '@utf8/files';
import { openClaimed } from '../checkpoint/resumption.js';
import { InputError, UsageError } from '../error.js';
import { chunks, Intake } from '../open/chunks.js';
import { openInput } from '../open/input.js';
import { requireReadable, type Source, STDIN } from '../open/source.js';
import { Spool } from '../open/spool.js';
import { refuseSharedPaths } from '../path/shared-paths.js';
import { opt, phrase } from '../phrase.js';
import { Digest } from '../sink/digest.js';
import type { Splice, UndoFooter } from '../sink/undo.js';

/** Options for reverting a conversion. */
export interface RevertOptions {
  /** The output of a conversion: a path, or `-` for stdin. It may be compressed. */
  readonly input: string;
  /** The undo log of that conversion: a path, or `-` for stdin. It may be compressed. */
  readonly undo: string;
  /** A path, or `-` for stdout. */
  readonly output: string;
  /**
   * Receives the progress of the run.
   *
   * @param done - Number of processed bytes of the input.
   * @param total - Number of its bytes; undefined if it is compressed or not a regular file.
   * @returns Nothing, or a promise that the run waits for.
   */
  readonly onProgress?: ((done: number, total: number | undefined) => unknown) | undefined;
}

type Write = (bytes: Uint8Array) => Promise<void>;

/** Bytes to copy at once. */
const SIZE = 1 << 18;

/**
 * Restores the original of a conversion from its output and its undo log. Both files are verified
 * before the output gets its name, or before the first byte if it is a stream or a device.
 *
 * @param options - The paths.
 * @throws UsageError (`ERR_UTF8_USAGE`) if two of the paths denote one file.
 * @throws InputError (`ERR_UTF8_INPUT`) if a file cannot be read, is damaged or changes, or if the two
 *   do not belong together.
 * @throws OutputError (`ERR_UTF8_OUTPUT`) if the output cannot be written.
 * @throws BusyError (`ERR_UTF8_BUSY`) if another run is writing the same output.
 * @throws BrokenPipe if the output is a pipe whose reader has closed it.
 * @example
 * ```ts
 * import { readFileSync, writeFileSync } from 'node:fs';
 * import { convertDump, revertDump } from '@utf8/dump';
 *
 * const pair = Buffer.from('eda0bdedb880', 'hex');
 * writeFileSync('pair.txt', pair);
 * const files = { output: 'emoji.txt', undo: 'emoji.undo' };
 * await convertDump({ input: 'pair.txt', ...files, from: 'cesu-8' });
 * readFileSync('emoji.txt', 'utf8'); // => '😀'
 * await revertDump({ input: 'emoji.txt', undo: 'emoji.undo', output: 'again.txt' });
 * readFileSync('again.txt').equals(pair); // => true
 * ```
 */
export async function revertDump(options: RevertOptions): Promise<void> {
  const { input, undo, output } = options;
  if (input === STDIN && undo === STDIN) {
    throw new UsageError('stdin can be read only once; use a file for one of the two');
  }
  refuseSharedPaths({ inputs: [input, undo], outputs: [{ option: 'output', path: output }] });
  requireReadable([input, undo]);
  const result = await openClaimed({ output });
  try {
    const write: Write = (bytes) => result.outputs.write('output', bytes);
    if (result.outputs.isFile('output')) {
      await revertOnce(options, write);
    } else if ([input, undo].every((name) => name !== STDIN && statSync(toPath(name)).isFile())) {
      await revertOnce(options, async () => {}, 0.5);
      await revertOnce(options, write, 0.5, 0.5);
    } else {
      await revertThrough(new Spool(), options, write);
    }
    await result.outputs.finish();
    result.commit();
  } finally {
    result.discard();
  }
}

/** Reverts to a temporary file first, since the inputs cannot be read twice. */
async function revertThrough(spool: Spool, options: RevertOptions, write: Write): Promise<void> {
  try {
    await revertOnce(options, async (bytes) => spool.add(bytes));
    for (let position = 0; position < spool.length; position += SIZE) {
      await write(await spool.read(position, Math.min(SIZE, spool.length - position)));
    }
  } finally {
    spool.close();
  }
}

/** Reverts a file, which is a `share` of the progress from `base` on, and verifies both inputs. */
async function revertOnce(
  { input, undo, onProgress = () => {} }: RevertOptions,
  write: Write,
  share = 1,
  base = 0,
): Promise<void> {
  const source = await openInput(input, { refuseBinary: false });
  let log: Source | undefined;
  try {
    log = await openInput(undo, { refuseBinary: false });
    const { size } = source;
    await restore(source, log, write, (done) =>
      onProgress(size === undefined ? done : Math.floor(base * size + share * done), size),
    );
    await source.verify();
    await log.verify();
  } finally {
    await Promise.all([log?.close(), source.close()]);
  }
}

async function restore(
  source: Source,
  log: Source,
  write: Write,
  onProgress: (done: number) => unknown,
): Promise<void> {
  const intake = new Intake(source);
  const output = await Digest.create();
  const original = await Digest.create();
  const mismatch = new InputError(
    `${source.name}: is not the file that ${log.name} belongs to, or has changed; specify the output of that run, unchanged`,
  );
  let position = 0;
  // Written together: splices are short.
  let pending: Uint8Array[] = [];
  let length = 0;
  const flush = async (): Promise<void> => {
    const bytes = Buffer.concat(pending, length);
    pending = [];
    length = 0;
    original.add(bytes);
    if (bytes.length > 0) await write(bytes);
  };
  const add: Write = async (bytes) => {
    pending.push(bytes);
    length += bytes.length;
    if (length >= SIZE) await flush();
  };
  const read = async (end: number, isOriginal: boolean): Promise<void> => {
    while (position < end) {
      const bytes = await intake.take(Math.min(end - position, SIZE));
      if (bytes.length === 0) throw mismatch;
      output.add(bytes);
      if (isOriginal) await add(bytes);
      position += bytes.length;
    }
  };
  let footer: UndoFooter | undefined;
  for await (const line of readUndo(log, source.size)) {
    await read('at' in line ? line.at : line.output.size, true);
    await onProgress(position);
    if ('at' in line) {
      await read(line.at + line.length, false);
      await add(Buffer.from(line.bytes, 'hex'));
    } else {
      footer = line;
    }
  }
  await flush();
  const more = await intake.take(1);
  if (more.length > 0 || output.finish() !== footer?.output.digest) throw mismatch;
  if (original.finish() === footer.original.digest) return;
  throw new InputError(`${log.name}: is damaged and does not restore the original; copy it again`);
}

/**
 * Reads the splices of an undo log, in order, and the footer last, each with its own properties alone: a damaged
 * line may have others. The size is that of the output.
 */
async function* readUndo(
  source: Source,
  size: number | undefined,
): AsyncGenerator<Splice | UndoFooter, void, undefined> {
  await checkFooter(source, size);
  let number = 0;
  let position = 0;
  let isComplete = false;
  for await (const text of readLines(source)) {
    const line = parse(text);
    if (++number === 1) {
      if (line.undo !== 1) throw notUndo(source);
    } else if (!isComplete && isSplice(line) && line.at >= position) {
      const { at, length, bytes } = line;
      position = at + length;
      yield { at, length, bytes };
    } else if (!isComplete && isFooter(line) && line.output.size >= position) {
      const { original, output } = line;
      isComplete = true;
      yield { original, output };
    } else {
      throw new InputError(`${source.name}:${number}: is damaged; copy the file again`);
    }
  }
  if (number === 0) throw notUndo(source);
  if (!isComplete) throw incomplete(source);
}

/** Looks at the end first, if that can be read, so that a wrong pair of files fails at once. */
async function checkFooter(source: Source, size: number | undefined): Promise<void> {
  if (source.size === undefined || source.size === 0) return;
  // The last line is shorter than this.
  const memory = Buffer.alloc(Math.min(1 << 12, source.size));
  const count = await source.read(memory, source.size - memory.length);
  const text = memory.toString('latin1', 0, count);
  const footer = parse(text.slice(text.lastIndexOf('\n', text.length - 2) + 1));
  // Anything else that is wrong is found when it is read from its start.
  if (!isFooter(footer) || size === undefined || footer.output.size === size) return;
  throw new InputError(
    `${source.name}: belongs to a file of ${footer.output.size} bytes, not ${size}; specify the output of that run, unchanged`,
  );
}

async function* readLines(source: Source): AsyncGenerator<string, void, undefined> {
  let rest = '';
  for await (const chunk of chunks(source)) {
    const lines = (rest + Buffer.from(chunk).toString('latin1')).split('\n');
    rest = lines.pop() as string;
    yield* lines;
    // No line is as long as this.
    if (rest.length > 1 << 20) throw notUndo(source);
  }
  if (rest.length > 0) throw incomplete(source);
}

type Line = Readonly<Record<string, unknown>>;

/** Parses a line; anything but an object has no properties. */
function parse(text: string): Line {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

const isSize = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const isSplice = (line: Line): line is Line & Splice =>
  isSize(line.at) &&
  isSize(line.length) &&
  typeof line.bytes === 'string' &&
  /^(?:[\da-f]{2})*$/.test(line.bytes);

const isFooter = (line: Line): line is Line & UndoFooter =>
  isMark(line.original) && isMark(line.output);

function isMark(value: unknown): boolean {
  const { size, digest } = Object(value);
  return isSize(size) && typeof digest === 'string';
}

const notUndo = ({ name }: Source): InputError =>
  new InputError(phrase`${name}: is not an undo log; specify the file that ${opt('undo')} wrote`);

const incomplete = ({ name }: Source): InputError =>
  new InputError(
    phrase`${name}: is incomplete: its run was interrupted; finish that run with ${opt('resume')}, or copy the whole file again`,
  );
