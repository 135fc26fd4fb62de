import { statSync } from 'node:fs';
import { InputError, UsageError } from '../error.js';
import { chunks } from '../open/chunks.js';
import { openInput } from '../open/input.js';
import { Intake } from '../open/intake.js';
import { openSource, requireReadable, type Source, STDIN } from '../open/source.js';
import { toPath } from '../path/file-name.js';
import { refuseSharedPaths } from '../path/shared-paths.js';
import { TemporaryFolder } from '../path/temporary-folder.js';
import { Digest } from '../sink/digest.js';
import { openOutput, Replacement } from '../sink/output.js';
import type { UndoFooter } from '../sink/undo.js';
import { readUndo } from './undo-reader.js';

/** What to revert. */
export interface RevertOptions {
  /** The output of a conversion: a path, or `-` for stdin. It may be compressed. */
  readonly input: string;
  /** The undo log of that conversion: a path, or `-` for stdin. It may be compressed. */
  readonly undo: string;
  /** A path, or `-` for stdout. */
  readonly output: string;
  /** Receives the number of bytes done, and of all bytes if that is known. */
  readonly onProgress?: ((done: number, total: number | undefined) => void) | undefined;
}

type Write = (bytes: Uint8Array) => Promise<void>;

/** Bytes to copy at once. */
const SIZE = 1 << 18;

/**
 * Restores the original of a conversion from its output and its undo log. Both files are verified
 * before the output gets its name, or before the first byte if it is a stream or a device.
 *
 * @throws UsageError (`ERR_UTF8_USAGE`) if two of the paths denote one file.
 * @throws InputError (`ERR_UTF8_INPUT`) if a file cannot be read, is damaged or changes, or if the two
 *   do not belong together.
 * @throws OutputError (`ERR_UTF8_OUTPUT`) if the output cannot be written.
 */
export async function revertDump(options: RevertOptions): Promise<void> {
  const { input, undo, output } = options;
  if (input === STDIN && undo === STDIN) {
    throw new UsageError('stdin can be read only once; name one of the two files');
  }
  refuseSharedPaths({ inputs: [input, undo], outputs: [{ flag: '-o', path: output }] });
  requireReadable([input, undo]);
  const result = await openOutput(output);
  const folder = new TemporaryFolder();
  try {
    const write: Write = (bytes) => result.write(bytes);
    if (result instanceof Replacement) {
      await revertOnce(options, write);
    } else if ([input, undo].every((name) => name !== STDIN && statSync(toPath(name)).isFile())) {
      await revertOnce(options, async () => {}, 0.5);
      await revertOnce(options, write, 0.5, 0.5);
    } else {
      await revertThrough(folder.nameFile(), options, write);
    }
    await result.finish();
    result.commit();
  } finally {
    result.discard();
    folder.remove();
  }
}

/** Reverts to a temporary file first, since the inputs cannot be read twice. */
async function revertThrough(path: string, options: RevertOptions, write: Write): Promise<void> {
  const spool = await openOutput(path);
  try {
    await revertOnce(options, (bytes) => spool.write(bytes));
    await spool.finish();
    spool.commit();
  } finally {
    spool.discard();
  }
  const source = await openSource(path);
  try {
    for await (const chunk of chunks(source)) await write(chunk);
  } finally {
    await source.close();
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
  try {
    const log = await openInput(undo, { refuseBinary: false });
    try {
      const { size } = source;
      await restore(source, log, write, (done) =>
        onProgress(size === undefined ? done : Math.floor(base * size + share * done), size),
      );
      await source.verify();
      await log.verify();
    } finally {
      await log.close();
    }
  } finally {
    await source.close();
  }
}

async function restore(
  source: Source,
  log: Source,
  write: Write,
  onProgress: (done: number) => void,
): Promise<void> {
  const intake = new Intake(source);
  const output = await Digest.create();
  const original = await Digest.create();
  const mismatch = new InputError(
    `${source.name}: is not the file that ${log.name} belongs to, or has changed; name the output of that run, unchanged`,
  );
  let position = 0;
  const add = async (bytes: Uint8Array): Promise<void> => {
    original.add(bytes);
    if (bytes.length > 0) await write(bytes);
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
    onProgress(position);
    if ('at' in line) {
      await read(line.at + line.length, false);
      await add(Buffer.from(line.bytes, 'hex'));
    } else {
      footer = line;
    }
  }
  const more = await intake.take(1);
  if (more.length > 0 || output.finish() !== footer?.output.digest) throw mismatch;
  if (original.finish() === footer.original.digest) return;
  throw new InputError(`${log.name}: is damaged and does not restore the original; copy it again`);
}
