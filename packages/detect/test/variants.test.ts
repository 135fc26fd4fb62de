/** One list of variants: what is generated from it, and what a new variant needs. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { codecs } from '../src/generated/variants.js';
import { codecFor, detect, type Label, labels } from '../src/index.js';
import { type Grounds, judge } from '../src/verdict.js';

const at = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

describe('the list of variants', () => {
  it('is what the module is generated from', { tags: ['slow'] }, () => {
    const script = at('../../../tooling/build/codecs/variants.mjs');
    // It names the files that differ.
    expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toBe('');
  });

  it('has the order of the codecs, of the labels and of findings', () => {
    const specifiers = JSON.parse(readFileSync(at('../../variants.json'), 'utf8')) as string[];
    expect(codecs).toHaveLength(specifiers.length);
    expect(codecs.map(({ labels: [label] }) => label)).toEqual(labels);
    expect(detect(hex('')).variants.map(({ label }) => label)).toEqual(labels);
    for (const codec of codecs) {
      for (const label of codec.labels) expect(codecFor(label)).toBe(codec);
    }
  });
});

describe('a verdict without words of its own', () => {
  /** What detection would find if only these variants accepted the bytes. */
  const ground = (bytes: Uint8Array, accepting: readonly string[]): Grounds => {
    const { variants, ...report } = detect(bytes);
    const findings = accepting.map((label) => {
      return { label: label as Label, name: label, isWellFormed: true, fault: undefined };
    });
    return { ...report, findings, refusals: accepting.map(() => 0), head: bytes.subarray(0, 4) };
  };

  it.each([
    ['c0ae ff', ['new'], '1 overlong form and 1 malformed sequence, which only new accepts.'],
    [
      'c080 00 00 f09f9880 eda0bd eda0bd',
      ['new', 'newer'],
      '1 four-byte form, 2 lone surrogates, C0 80 in 1 place and raw 00 in 2 places, which new and newer accept.',
    ],
    ['4142', ['new'], '2 bytes, which only new accepts.'],
    [
      '4142',
      ['utf8mb3'],
      "No character above U+FFFF: the bytes fit MySQL's utf8mb3, which is UTF-8 up to U+FFFF.",
    ],
  ])('%s', (bytes, accepting, sentence) => {
    const verdict = judge(ground(hex(bytes.replaceAll(' ', '')), accepting));
    expect(verdict).toEqual({ label: accepting[0], nearest: accepting[0], sentence });
  });
});

describe('loading the package', () => {
  const touched = `
    const touched = [];
    const names = ['TextDecoder', 'TextEncoder', 'Buffer', 'WebAssembly', 'SharedArrayBuffer'];
    for (const name of names) {
      Object.defineProperty(globalThis, name, {
        get() { touched.push(name); throw new Error(name); },
      });
    }
    Object.defineProperty(process, 'getBuiltinModule', {
      get() { touched.push('getBuiltinModule'); throw new Error('getBuiltinModule'); },
    });
    globalThis.touched = touched;`;
  const built = JSON.stringify(new URL('../dist/index.js', import.meta.url).href);
  const run = (script: string): string =>
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });

  it('touches nothing of the platform', () => {
    expect(run(`${touched} await import(${built}); console.log(touched.join());`)).toBe('\n');
  });

  it('and detection works without it', () => {
    const script = `
      for (const name of ['TextDecoder', 'TextEncoder', 'Buffer', 'WebAssembly']) delete globalThis[name];
      process.getBuiltinModule = undefined;
      const { detect } = await import(${built});
      console.log(detect(Uint8Array.of(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80)).verdict.label);`;
    expect(run(script)).toBe('cesu-8\n');
  });

  it('imports no module of Node', () => {
    for (const file of ['../dist/index.js', '../dist/index.cjs']) {
      expect(readFileSync(at(file), 'utf8')).not.toMatch(/["']node:/);
    }
  });
});
