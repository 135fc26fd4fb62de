import { InputError } from '../error.js';
import { FILE_HEAD, findFileKind, isFileKindDecided, type Packing } from './file-kind.js';
import { openSource, type Source, streamSource, takePart } from './source.js';

/** Options for opening an input. */
export interface InputOptions {
  /** True if it may be compressed, and so be read in order only (default: true). */
  readonly compressed?: boolean;
  /** True if it is refused if it is not text, such as a database or UTF-16 (default: true). */
  readonly refuseBinary?: boolean;
}

const advise = (packing: Packing, why: string): string =>
  `is compressed with ${packing} ${why}; decompress it first: ${packing === 'gzip' ? 'gzip -dk' : 'zstd -d'} FILE`;

/**
 * Opens an input. If it is compressed with gzip or zstd, it is decompressed on the way, in constant
 * memory, into a source without a size.
 *
 * @param name - The path of a file, or `-` for stdin.
 * @param options - Permissions: the file may be compressed, or other than text.
 * @returns The open input, which the caller closes.
 * @throws InputError (`ERR_UTF8_INPUT`) if the file cannot be read, is damaged, or is refused.
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { gzipSync } from 'node:zlib';
 * import { openInput } from '@utf8/dump/internal';
 *
 * writeFileSync('names.txt.gz', gzipSync('Ann\n'));
 * const source = await openInput('names.txt.gz');
 * const memory = new Uint8Array(16);
 * const count = await source.read(memory, 0);
 * await source.close();
 * new TextDecoder().decode(memory.subarray(0, count)); // => 'Ann\n'
 * ```
 */
export async function openInput(
  name: string,
  { compressed = true, refuseBinary = true }: InputOptions = {},
): Promise<Source> {
  let last = await openSource(name);
  try {
    const { source, head } = await peek(last);
    last = source;
    const kind = findFileKind(head);
    if (!kind || (!refuseBinary && 'refusal' in kind)) return source;
    if ('refusal' in kind) throw new InputError(`${name}: ${kind.refusal}`);
    if (!compressed) {
      throw new InputError(
        `${name}: ${advise(kind.packing, 'and cannot be read from an arbitrary position')}`,
      );
    }
    last = await decompress(source, kind.packing);
    const inner = await peek(last);
    const innerKind = refuseBinary && findFileKind(inner.head);
    if (!innerKind) return inner.source;
    const what = 'refusal' in innerKind ? innerKind.refusal : advise(innerKind.packing, 'again');
    throw new InputError(`${name}: its decompressed content ${what}`);
  } catch (error) {
    await last.close();
    throw error;
  }
}

/** The modules are loaded late, since few runs need them. */
async function decompress(source: Source, packing: Packing): Promise<Source> {
  const content =
    packing === 'gzip'
      ? (await import('./gzip.js')).gunzip(source)
      : (await import('./zstd.js')).unzstd(source);
  return streamSource(source.name, content, source);
}

/**
 * Reads enough of an input to recognise it, and returns a source that starts at the beginning again.
 * Text is decided by its first bytes, so that a line typed on a terminal need not wait for a second one.
 *
 * @param most - How much is read at most, in bytes.
 * @param isDecided - Tells whether more bytes would tell no more.
 * @returns Also whether the input ends with the bytes, as far as that has been seen.
 */
export async function peek(
  source: Source,
  most: number = FILE_HEAD,
  isDecided: (head: Uint8Array) => boolean = isFileKindDecided,
): Promise<{ source: Source; head: Uint8Array; isWhole: boolean }> {
  const memory = new Uint8Array(most);
  let length = 0;
  let isWhole = false;
  while (length < most && !isDecided(memory.subarray(0, length))) {
    const count = await source.read(memory.subarray(length), length);
    isWhole = count === 0;
    if (isWhole) break;
    length += count;
  }
  const head = memory.subarray(0, length);
  return { source: source.size === undefined ? rewind(source, head) : source, head, isWhole };
}

/** Puts bytes back that were read already. */
function rewind(source: Source, head: Uint8Array): Source {
  const left = { bytes: head };
  return {
    name: source.name,
    size: undefined,
    read: async (into, position) =>
      left.bytes.length > 0 ? takePart(left, into) : source.read(into, position),
    verify: () => source.verify(),
    close: () => source.close(),
  };
}
