/** The frames of `peers/frame.h`. */
import { endianness } from 'node:os';

if (endianness() !== 'LE') throw new Error('Frames are written for little-endian machines.');

const HEADER = 4;

/** Puts requests one after another, each after its length. */
export function packFrames(requests: readonly Uint8Array[]): Buffer {
  const size = requests.reduce((sum, { length }) => sum + HEADER + length, 0);
  const frames = Buffer.allocUnsafe(size);
  let at = 0;
  for (const request of requests) {
    at = frames.writeUInt32LE(request.length, at);
    frames.set(request, at);
    at += request.length;
  }
  return frames;
}

/** The contents of frames, one after the other, without copies. */
export function* readFrames(frames: Buffer): Generator<Buffer> {
  for (let at = 0; at < frames.length; ) {
    const from = at + HEADER;
    at = from + frames.readUInt32LE(at);
    if (at > frames.length) throw new Error('An answer is cut.');
    yield frames.subarray(from, at);
  }
}
