/** The README is short, and each of its commands does what the README says. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sample, useFolder, utf8 } from './command.js';

const path = useFolder();
const readme = readFileSync(fileURLToPath(new URL('../README.md', import.meta.url)), 'utf8');

/** Command lines, each with what it prints; the last one of a block prints what follows the block. */
const steps = Array.from(
  readme.matchAll(/^```sh\n((?:utf8 [^\n]*\n)+)```\n(?:\n```text\n(.*?)```\n)?/gms),
  ([, script = '', output = '']) => {
    const lines = script.trimEnd().split('\n');
    return lines.map((line, i) => [line, i === lines.length - 1 ? output : ''] as const);
  },
).flat();

/** Exit codes of command lines, if they are not 0. */
const exitCodes: Readonly<Record<string, number>> = {
  'utf8 check --max 2 customers.csv': 1,
  'utf8 check --json --max 1 customers.csv': 1,
  'utf8 scan --key id orders.csv': 1,
  'utf8 convert --from cesu-8+utf-8 --format csv --rejects bad.csv --undo undo.jsonl orders.csv -o new.csv': 1,
};

describe('the README', () => {
  it('has at most 200 lines, and worked tasks', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(201);
    expect(steps.length).toBeGreaterThanOrEqual(8);
  });

  it('says what its commands print, one after the other', async () => {
    copyFileSync(sample, path('customers.csv'));
    const orders = 'id,name\n1,a\xed\xa0\xbd\xed\xb8\x80b\n2,half \xed\xa0\xbd\n3,fine\n';
    writeFileSync(path('orders.csv'), orders, 'latin1');
    for (const [line, output] of steps) {
      const words = line.split(' ').slice(1);
      const { status, stdout, stderr } = await utf8(words, '', { cwd: path('.') });
      expect(status, line).toBe(exitCodes[line] ?? 0);
      // Notices come before the result, or after it.
      if (stderr + stdout !== output) expect(stdout + stderr, line).toBe(output);
    }
    expect(readFileSync(path('old.csv'), 'latin1')).toBe(orders);
    expect(readFileSync(path('new.csv'), 'utf8')).toBe('id,name\n1,a😀b\n3,fine\n');
  });
});
