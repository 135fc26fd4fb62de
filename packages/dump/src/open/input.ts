import { InputError } from '../error.js';
import { peek } from './peek.js';
import { findKind, type Packing } from './signature.js';
import { openSource, type Source, StreamedSource } from './source.js';

/** How to open an input. */
export interface InputOptions {
  /** Whether it may be compressed, and so be read in order only (default: true). */
  readonly compressed?: boolean;
  /** Whether it is refused if it is not text, such as a database or UTF-16 (default: true). */
  readonly refuseBinary?: boolean;
}

const commands: Readonly<Record<Packing, string>> = { gzip: 'gzip -dk', zstd: 'zstd -d' };

/**
 * Opens an input. If it is compressed with gzip or zstd, it is decompressed on the way, in constant
 * memory, into a source without a size.
 *
 * @param name - A file, or `-` for stdin.
 * @throws {@link InputError} if it cannot be read, is damaged, or is refused.
 */
export async function openInput(
  name: string,
  { compressed = true, refuseBinary = true }: InputOptions = {},
): Promise<Source> {
  const opened = await openSource(name);
  let last = opened;
  try {
    const { source, head } = await peek(opened);
    last = source;
    const kind = findKind(head);
    if (!kind || (!refuseBinary && 'refusal' in kind)) return source;
    if ('refusal' in kind) throw new InputError(`${name}: ${kind.refusal}`);
    if (!compressed) {
      throw new InputError(
        `${name}: is compressed with ${kind.packing} and cannot be read at any position; decompress it first: ${commands[kind.packing]} FILE`,
      );
    }
    last = await decompress(source, kind.packing);
    const inner = await peek(last);
    const innerKind = refuseBinary && findKind(inner.head);
    if (!innerKind) return inner.source;
    const what =
      'refusal' in innerKind
        ? innerKind.refusal
        : `is compressed with ${innerKind.packing} again; decompress it first: ${commands[innerKind.packing]} FILE`;
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
  return new StreamedSource(source.name, content, source);
}
