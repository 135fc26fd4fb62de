/** Inputs: bytes that were typed, or files, which may be packed or not be text at all. */
import { FILE_HEAD, findFileKind } from '../../../../packages/dump/src/open/file-kind.js';

/** Bytes, or a file with its name. */
export type Input = Uint8Array<ArrayBuffer> | File;

/** An input that can be read. */
export interface Opened {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Kind of an input that is not text, and a remedy, to follow its name. */
  readonly refusal: string | undefined;
}

/** Opens an input as the command does: gzip is unpacked. */
export async function open(input: Input): Promise<Opened> {
  const blob = input instanceof Blob ? input : new Blob([input]);
  // Unlike a stream, it tells in every browser that a file is gone.
  const kind = findFileKind(new Uint8Array(await blob.slice(0, FILE_HEAD).arrayBuffer()));
  const openAgain = (): Opened['stream'] =>
    input instanceof Blob ? blob.stream().pipeThrough(expectBytes(input.size)) : blob.stream();
  if (!kind) return { stream: openAgain(), refusal: undefined };
  if ('refusal' in kind) return { stream: openAgain(), refusal: kind.refusal };
  if (kind.packing === 'zstd') {
    const refusal = 'is compressed with zstd, which the command reads and this page does not';
    return { stream: openAgain(), refusal };
  }
  const unpack = (): Opened['stream'] => openAgain().pipeThrough(new DecompressionStream('gzip'));
  const inner = findFileKind(await readHead(unpack()));
  if (!inner) return { stream: unpack(), refusal: undefined };
  const what = 'refusal' in inner ? inner.refusal : 'is compressed again; decompress it first';
  return { stream: unpack(), refusal: `has content that ${what}` };
}

/** Reads the bytes that tell what an unpacked file is. */
async function readHead(stream: Opened['stream']): Promise<Uint8Array> {
  const head = new Uint8Array(FILE_HEAD);
  let length = 0;
  for await (const chunk of read(stream)) {
    head.set(chunk.subarray(0, FILE_HEAD - length), length);
    length = Math.min(FILE_HEAD, length + chunk.length);
    if (length === FILE_HEAD) break;
  }
  return head.subarray(0, length);
}

/** Refuses a stream of another length: Firefox reads the rest of a file that has become shorter. */
function expectBytes(size: number): TransformStream<Uint8Array<ArrayBuffer>> {
  let count = 0;
  return new TransformStream({
    transform(chunk, controller) {
      count += chunk.length;
      controller.enqueue(chunk);
    },
    flush() {
      if (count !== size) throw new DOMException('The file has changed.', 'NotReadableError');
    },
  });
}

/** Yields the chunks of a stream; Safari's streams cannot be iterated. */
export async function* read(
  stream: Opened['stream'],
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
