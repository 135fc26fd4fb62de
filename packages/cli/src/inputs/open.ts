import { InputFailure } from '../failure.js';
import { openSource, type Source } from '../source.js';
import { findKind, type Packing } from './kind.js';
import { peek } from './peek.js';
import { StreamedSource } from './stream.js';

/** How an input is to be opened. */
export interface InputOptions {
  /** Whether it may be compressed, and so be read in order only; it is refused otherwise. */
  readonly compressed: boolean;
}

/** How to unpack a file before it is read. */
const unpackers: Readonly<Record<Packing, string>> = {
  gzip: 'gzip -dk',
  zstd: 'zstd -d',
};

/**
 * Opens a dump as text. What is compressed with gzip or zstd is unpacked on the way, in constant memory,
 * into a source without a size.
 *
 * @param name - A file, or `-` for stdin.
 * @throws {@link InputFailure} where it cannot be read, is damaged, or is no text.
 */
export async function openInput(name: string, { compressed }: InputOptions): Promise<Source> {
  const opened = await openSource(name);
  try {
    const { source, head } = await peek(opened);
    const kind = findKind(head);
    if (!kind) return source;
    if ('refusal' in kind) throw new InputFailure(`${name}: ${kind.refusal}`);
    if (!compressed) {
      throw new InputFailure(
        `${name}: is compressed with ${kind.packing}, so that it cannot be read from any place; unpack it first: ${unpackers[kind.packing]} FILE`,
      );
    }
    return await openUnpacked(await unpack(source, kind.packing));
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function unpack(source: Source, packing: Packing): Promise<Source> {
  // What few runs need is loaded by those.
  if (packing === 'gzip') {
    const { gunzip } = await import('./gzip.js');
    return new StreamedSource(source, gunzip(source));
  }
  const { unzstd } = await import('./zstd.js');
  return new StreamedSource(source, unzstd(source));
}

/** A dump that is no text may be compressed as well. */
async function openUnpacked(unpacked: Source): Promise<Source> {
  const { source, head } = await peek(unpacked);
  const kind = findKind(head);
  if (!kind) return source;
  throw new InputFailure(
    `${source.name}: what it unpacks to ${
      'refusal' in kind
        ? kind.refusal
        : `is compressed with ${kind.packing} again; unpack it first: ${unpackers[kind.packing]} FILE`
    }`,
  );
}
