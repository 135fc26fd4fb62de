// Node's decoders as a reader: node reader.mjs lossy|fatal|buffer [--lines]. ../README.md has the protocol.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [, , mode, lines] = process.argv;

function read(bytes) {
  if (mode === 'buffer') return bytes.toString();
  try {
    return new TextDecoder('utf-8', { fatal: mode === 'fatal' }).decode(bytes);
  } catch {
    return undefined;
  }
}

if (lines) {
  for await (const line of createInterface({ input: process.stdin })) {
    const text = read(Buffer.from(line, 'hex'));
    process.stdout.write(text === undefined ? '-\n' : `${Buffer.from(text).toString('hex')}\n`);
  }
} else {
  const text = read(readFileSync(0));
  if (text === undefined) process.exitCode = 1;
  else process.stdout.write(text);
}
