// A program that passes the results of a codec to functions of Node.
import { Readable } from 'node:stream';
import type * as web from 'node:stream/web';
import { DecoderStream, decode, EncoderStream, encode } from '@utf8/strict';

export const text: string = decode(Buffer.from('x'));
export const buffer: Buffer = Buffer.from(encode('x').buffer);

declare const source: web.ReadableStream<Uint8Array>;
export const decoded: web.ReadableStream<string> = source.pipeThrough(new DecoderStream());
export const encoded: web.ReadableStream<Uint8Array> = decoded.pipeThrough(new EncoderStream());
export const transform: web.TransformStream<Uint8Array, string> = new DecoderStream();
export const fromNode = Readable.toWeb(Readable.from([])).pipeThrough(new DecoderStream());
export const toNode = Readable.fromWeb(fromNode);
