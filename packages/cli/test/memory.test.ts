import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { start } from './built.js';
import { useFolder } from './command.js';

const path = useFolder();

const MIB = 1 << 20;
const LIMIT = 200 * MIB;

describe('memory stays constant', () => {
  const line = Buffer.from('1001,"Grün, 한국",plain text,😀\n');
  const chunk = Buffer.concat(Array.from({ length: 30_000 }, () => line));

  const streams = [
    ['convert', 256, ['--from', 'utf-8', '--to', 'cesu-8'], 'slow'],
    ['check', 256, ['--from', 'utf-8'], 'slow'],
    ['detect', 256, [], 'slow'],
    // A hundred times as much comes out as goes in.
    ['explain', 1, [], 'night'],
  ] as const;

  for (const [name, size, rest, tag] of streams)
    it(`a stream of ${size} MiB through ${name}`, { tags: [tag] }, async () => {
      const args = [name, ...rest];
      const count = Math.ceil((size * MIB) / chunk.length);
      // Reports the peak when the program ends, on any platform.
      writeFileSync(
        path('report.mjs'),
        `process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS * 1024)));`,
      );
      const child = start(args, {
        env: { ...process.env, NODE_OPTIONS: `--import ${pathToFileURL(path('report.mjs'))}` },
      });
      let written = 0;
      child.stdout?.on('data', (bytes: Buffer) => {
        written += bytes.length;
      });
      const feed = async (): Promise<void> => {
        for (let i = 0; i < count; i++) {
          if (!child.stdin?.write(chunk))
            await new Promise((done) => child.stdin?.once('drain', done));
        }
        child.stdin?.end();
      };
      const stderr: Buffer[] = [];
      child.stderr?.on('data', (bytes) => stderr.push(bytes));
      const [status] = await Promise.all([
        new Promise((done) => child.once('close', done)),
        feed(),
      ]);
      expect(status).toBe(0);
      if (args[0] === 'convert') expect(written).toBe(count * (chunk.length + 2 * 30_000));
      const peak = Number(Buffer.concat(stderr).toString());
      expect(peak).toBeGreaterThan(MIB);
      expect(peak).toBeLessThan(LIMIT);
    });
});
