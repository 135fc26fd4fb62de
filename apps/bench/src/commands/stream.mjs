/** Copies a file to a UTF-8 file with Node's streams: node stream.mjs iconv-lite|native IN OUT */
import { createReadStream, createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const [how, from = '', to = ''] = process.argv.slice(2);

async function iconvLite() {
  const { default: iconv } = await import('iconv-lite');
  return [
    iconv.decodeStream('cesu8', { stripBOM: false }),
    iconv.encodeStream('utf8', { addBOM: false }),
  ];
}

function native() {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return [
    new Transform({
      transform(chunk, _, done) {
        done(null, decoder.decode(chunk, { stream: true }));
      },
      flush(done) {
        done(null, decoder.decode());
      },
    }),
  ];
}

const steps = how === 'native' ? native() : await iconvLite();
await pipeline([createReadStream(from), ...steps, createWriteStream(to)]);
