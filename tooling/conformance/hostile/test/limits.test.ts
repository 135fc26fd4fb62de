/**
 * The engine's limits, each in a process of its own: the longest string, inputs of 4 GiB, memory that is used
 * up, and coders by the million. At night, all of it runs on every codec, in 9 GB of memory.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isNight } from '../../../tiers/tier.js';
import { findProgram } from '../../runtimes/programs.mjs';
import { listCodecs } from '../src/bundle.js';

const program = fileURLToPath(new URL('../src/limits.mjs', import.meta.url));
const timeout = 1_800_000;

/** Runs a case, and returns its output. */
function run(name: string, codec: string, coders = 20_000): string {
  // Node 20 has no array of more than 4 GiB.
  const node = name === 'bytes' ? findProgram('node-24', 'node-26') : process.execPath;
  if (!node) throw new Error('missing: node-24');
  const words = ['--expose-gc', program, name, codec];
  const env = { ...process.env, UTF8_CODERS: String(coders) };
  const limits = name === 'allocation' ? 'ulimit -v 6000000 && ' : '';
  const [command, args] = limits
    ? ['sh', ['-c', `${limits} exec "$0" "$@"`, node, ...words]]
    : [node, words];
  return execFileSync(command as string, args as string[], { encoding: 'utf8', env });
}

describe.each(isNight ? listCodecs() : ['@utf8/cesu8'])('%s', { tags: ['slow'] }, (codec) => {
  it('reads and writes the longest string, and refuses a longer one', { timeout }, () => {
    expect(run('strings', codec)).toBe('done\n');
  });

  it('keeps nothing of coders that are dropped', { timeout }, () => {
    const [sizes = '', end] = run('coders', codec, isNight ? 1_000_000 : 20_000).split('\n');
    expect(end).toBe('done');
    console.log(`bytes of a coder of ${codec}: ${sizes}`);
    const { Decoder, Encoder, Transcoder, DecoderStream } = JSON.parse(sizes);
    expect(Math.max(Decoder, Encoder, Transcoder)).toBeLessThan(2000);
    // Most of it is the platform's TransformStream.
    expect(DecoderStream).toBeLessThan(20_000);
  });

  describe('in all the memory there is', { tags: ['night'] }, () => {
    it.each(['bytes', 'stream'])('counts beyond 4 GiB: %s', { timeout }, (name) => {
      expect(run(name, codec)).toBe('done\n');
    });

    it.skipIf(process.platform !== 'linux')('goes on after a RangeError', { timeout }, () => {
      expect(run('allocation', codec)).toBe('done\n');
    });
  });
});
