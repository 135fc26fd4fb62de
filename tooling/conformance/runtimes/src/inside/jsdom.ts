/** The test that jest runs: the modules are loaded in jsdom as it is, and the suite after them. */
import { writeSync } from 'node:fs';
import { ReadableStream, TransformStream, WritableStream } from 'node:stream/web';
import { TextDecoder } from 'node:util';
import { runInNewContext } from 'node:vm';
import { LIMIT, type Report } from '../report.js';
import { HOST, type Host } from './host.js';

/** The file of the suite, by jest's configuration. */
declare const suite: string;
declare const test: (name: string, run: () => Promise<void>, timeout: number) => void;

test(
  'the suite runs',
  async () => {
    for (const name of ['TextDecoder', 'TextEncoder', 'TransformStream']) {
      if (name in globalThis) throw new Error(`This jsdom has a ${name}.`);
    }
    require('#entries');
    // Globals that the suite needs. Codecs look for streams when one is created.
    Object.assign(globalThis, { ReadableStream, TransformStream, WritableStream });
    const host: Host = {
      about: `jsdom in Node ${process.version}`,
      foreign: runInNewContext('({ ArrayBuffer, DataView, Uint8Array })'),
      TextDecoder,
    };
    Object.defineProperty(globalThis, HOST, { value: host });
    const { start } = require(suite) as { start: () => Promise<Report> };
    const report = await start();
    writeSync(1, `${JSON.stringify(report)}\n`);
  },
  LIMIT,
);
