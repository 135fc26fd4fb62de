/** JSON whose last line is incomplete, as after a full disk: no run passes it, though nothing in it is malformed. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { convertDump } from '../src/convert/convert.js';
import { scanDump } from '../src/scan/scan.js';
import { verifyDump } from '../src/verify/verify.js';
import { useFolder } from './use-folder.js';

const at = useFolder();

const runs = {
  convert: (input: string, format: string) =>
    convertDump({ input, output: at('out'), from: 'cesu-8+utf-8', format }),
  scan: (input: string, format: string) => scanDump({ input, from: 'cesu-8+utf-8', format }),
  verify: (input: string, format: string) =>
    verifyDump({ from: 'utf-8', source: { input, format }, target: { input, format } }),
};

const long = 'x'.repeat(5 << 20);

const lines = [
  '{"id":1}\n{"id":2,"v":"a',
  '{"id":1}\n{"id":2,"v":[1,',
  '{"id":1}\n{"id":2',
  '[1]\n"a',
];

describe.each(Object.entries(runs))('%s', (_, run) => {
  const pass = async (text: string, format: string): Promise<void> => {
    writeFileSync(at('in'), text);
    await expect(run(at('in'), format)).resolves.toBeDefined();
  };
  const refuse = async (text: string, format: string, line: number): Promise<void> => {
    writeFileSync(at('in'), text);
    await expect(run(at('in'), format)).rejects.toThrow(`:${line}: `);
  };

  it.each(lines)('refuses the last line of %j', (text) => refuse(text, 'jsonl', 2));

  it.each(['[{"id":1},\n{"id":2', '[{"id":1},\n', '[{"id":1}\n'])('refuses the array %j', (text) =>
    refuse(text, 'json', 2),
  );

  it('refuses a last line that exceeds memory', { tags: ['slow'] }, async () => {
    await refuse(`{"id":1}\n{"id":2,"v":"${long}`, 'jsonl', 2);
    await refuse(`{"id":1}\n{"id":2,"v":{"a":"${long}\\"}"`, 'jsonl', 2);
  });

  it('passes a last line without a line feed', async () => {
    await pass('{"id":1}\n{"id":2,"v":"a"}', 'jsonl');
    await pass('1\n"a\\\\"', 'jsonl');
  });

  it('passes a long one', { tags: ['slow'] }, () => pass(`{"v":"${long}\\""}`, 'jsonl'));
});
