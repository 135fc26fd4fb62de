/** Reverting conversions, and undo logs byte by byte; `UTF8_SEED=1` repeats a run. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { scale, seed } from '../../../tooling/tiers/tier.js';
import { InputError, UsageError } from '../src/error.js';
import { revertDump } from '../src/revert/revert.js';
import { Edits, eachEdit } from '../src/rewrite/edits.js';
import { Digest } from '../src/sink/digest.js';
import { formatLine, formatSplices } from '../src/sink/undo.js';
import { useFolder } from './use-folder.js';

const path = useFolder();

const isPosix = process.platform !== 'win32';

interface Change {
  readonly before: Uint8Array;
  readonly original: Uint8Array;
  readonly result: Uint8Array;
}

/** The three files of a conversion that makes some changes. */
async function convert(changes: readonly Change[], tail = 'the end\n') {
  const edits = new Edits();
  const original: Uint8Array[] = [];
  const output: Uint8Array[] = [];
  let length = 0;
  for (const change of changes) {
    original.push(change.before, change.original);
    edits.add(length + change.before.length, change.original, change.result);
    output.push(change.before, change.result);
    length += change.before.length + change.result.length;
  }
  const mark = async (parts: readonly Uint8Array[]) => {
    const digest = await Digest.create();
    for (const part of parts) digest.add(part);
    return { size: digest.state.size, digest: digest.finish() };
  };
  original.push(Buffer.from(tail));
  output.push(Buffer.from(tail));
  const header = { undo: 1, size: null, from: 'cesu-8', to: 'utf-8', format: 'none' } as const;
  const footer = { original: await mark(original), output: await mark(output) };
  return {
    original: Buffer.concat(original),
    output: Buffer.concat(output),
    undo: Buffer.concat([
      Buffer.from(formatLine(header)),
      formatSplices(edits.list, 0),
      Buffer.from(formatLine(footer)),
    ]),
  };
}

const SURROGATES = Buffer.from('ed a0 bd ed b8 80'.replaceAll(' ', ''), 'hex');
const some: readonly Change[] = Array.from({ length: 600 }, (_, i) => ({
  before: Buffer.from(`${i},some text of a record,`),
  original: i % 200 === 0 ? Buffer.alloc(150_000, 'long') : SURROGATES,
  result: Buffer.from(i % 3 === 0 ? '' : '😀'),
}));

const revert = (output = path('back'), input = path('converted'), undo = path('undo')) =>
  revertDump({ input, undo, output });

// Inputs that cannot be read twice are copied there first.
beforeAll(() => void vi.stubEnv('TMPDIR', path('.')));
afterAll(() => void vi.unstubAllEnvs());

const temporaries = (): string[] =>
  readdirSync(path('.')).filter((name) => /unfinished|^utf8-/.test(name));

describe('the original comes back', () => {
  it('to a file, from plain and compressed files', async () => {
    const { original, output, undo } = await convert(some);
    for (const pack of [(bytes: Buffer) => bytes, (bytes: Buffer) => gzipSync(bytes)]) {
      writeFileSync(path('converted'), pack(output));
      writeFileSync(path('undo'), pack(undo));
      const progress: number[] = [];
      await revertDump({
        input: path('converted'),
        undo: path('undo'),
        output: path('back'),
        onProgress: (done) => progress.push(done),
      });
      expect(readFileSync(path('back')).equals(original)).toBe(true);
      expect(progress).toEqual([...progress].sort((a, b) => a - b));
      expect(progress.at(-1)).toBe(output.length);
    }
  });

  it.runIf(isPosix)('to a pipe, from files and from pipes', { tags: ['slow'] }, async () => {
    const { original, output, undo } = await convert(some);
    writeFileSync(path('converted'), output);
    writeFileSync(path('undo'), undo);
    execFileSync('mkfifo', [path('pipe'), path('source')]);
    for (const input of ['converted', 'source']) {
      const reader = spawn('cat', [path('pipe')]);
      if (input === 'source')
        spawn('sh', ['-c', 'cat "$1" > "$2"', 'sh', path('converted'), path('source')]);
      const chunks: Buffer[] = [];
      reader.stdout.on('data', (chunk) => chunks.push(chunk));
      await revert(path('pipe'), path(input));
      await once(reader, 'close');
      expect(Buffer.concat(chunks).equals(original), input).toBe(true);
      expect(temporaries()).toEqual([]);
    }
  });

  it('from any edits', () => {
    const bytes = fc.uint8Array({ maxLength: 12 });
    const change = fc.record({ before: bytes, original: bytes, result: bytes });
    return fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), fc.string(), async (changes, tail) => {
        const { original, output, undo } = await convert(changes, tail);
        writeFileSync(path('converted'), output);
        writeFileSync(path('undo'), undo);
        await revert();
        expect(readFileSync(path('back')).equals(original)).toBe(true);
      }),
      { seed, numRuns: scale(100) },
    );
  });
});

describe('what does not fit is refused before a byte is written', () => {
  const replaceLine = (undo: Buffer, number: number, text: string): string =>
    undo
      .toString('latin1')
      .split('\n')
      .map((line, i) => (i === number ? text : line))
      .join('\n');

  const unchanged = 'specify the output of that run, unchanged';
  const mismatch = () =>
    `${path('converted')}: is not the file that ${path('undo')} belongs to, or has changed; ${unchanged}`;
  const incomplete = () =>
    `${path('undo')}: is incomplete: its run was interrupted; finish that run with \`resume\`, or copy the whole file again`;
  const other = () => `${path('undo')}: is not an undo log; specify the file that \`undo\` wrote`;
  type Files = Awaited<ReturnType<typeof convert>>;

  const misfits: [
    string,
    (files: Files) => Partial<Record<'output' | 'undo', Uint8Array | string>>,
    (files: Files) => string,
  ][] = [
    [
      'a file of another size',
      () => ({ output: 'other' }),
      ({ output }) =>
        `${path('undo')}: belongs to a file of ${output.length} bytes, not 5; ${unchanged}`,
    ],
    [
      'a file of the same size',
      ({ output }) => ({ output: Buffer.from(output).fill('x', output.length - 3) }),
      mismatch,
    ],
    [
      'an undo log without its end',
      ({ undo }) => ({ undo: undo.subarray(0, undo.lastIndexOf('\n', -2) + 1) }),
      incomplete,
    ],
    ['an undo log cut within a line', ({ undo }) => ({ undo: undo.subarray(0, -20) }), incomplete],
    [
      'an undo log with a damaged line',
      ({ undo }) => ({ undo: replaceLine(undo, 2, '{"at":-1}') }),
      () => `${path('undo')}:3: is damaged; copy the file again`,
    ],
    [
      'an undo log with another byte',
      ({ undo }) => ({ undo: undo.toString('latin1').replace('"eda0bd', '"eda0be') }),
      () => `${path('undo')}: is damaged and does not restore the original; copy it again`,
    ],
    ['something else', () => ({ undo: 'other\n'.repeat(1000) }), other],
    ['an empty file', () => ({ undo: '' }), other],
  ];

  async function write(damage: (typeof misfits)[number][1]): Promise<Files> {
    const files = await convert(some);
    const { output, undo } = { ...files, ...damage(files) };
    writeFileSync(path('converted'), output);
    writeFileSync(path('undo'), undo);
    return files;
  }

  it.each(misfits)('%s', async (_, damage, sentence) => {
    const files = await write(damage);
    writeFileSync(path('back'), 'before');
    const error = await revert().catch((error) => error);
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toBe(sentence(files));
    expect(readFileSync(path('back'), 'utf8')).toBe('before');
    expect(temporaries()).toEqual([]);
  });

  it.runIf(isPosix).each(misfits)('%s, to a pipe', { tags: ['slow'] }, async (_, damage) => {
    await write(damage);
    for (const pipe of [path('refused'), path('stream')]) {
      rmSync(pipe, { force: true });
      execFileSync('mkfifo', [pipe]);
    }
    for (const input of ['converted', 'stream']) {
      const reader = spawn('sh', ['-c', 'cat "$1" | wc -c', 'sh', path('refused')]);
      if (input === 'stream') {
        spawn('sh', ['-c', 'cat "$1" > "$2"', 'sh', path('converted'), path('stream')]);
      }
      const [[count]] = await Promise.all([
        once(reader.stdout, 'data'),
        expect(revert(path('refused'), path(input))).rejects.toBeInstanceOf(InputError),
      ]);
      expect(Number(count.toString())).toBe(0);
    }
    expect(temporaries()).toEqual([]);
  });

  it.each([
    ['{"at":0.5,"length":1,"bytes":"61"}', 2],
    ['{"at":0,"length":-1,"bytes":"61"}', 2],
    ['{"at":"0","length":1,"bytes":"61"}', 2],
    ['{"at":9007199254740992,"length":1,"bytes":"61"}', 2],
    ['{"at":0,"bytes":"61"}', 2],
    ['{"at":0,"length":1,"bytes":"6"}', 2],
    ['{"at":0,"length":1,"bytes":"6G"}', 2],
    ['{"at":0,"length":1,"bytes":61}', 2],
    ['{"at":0,"length":1}', 2],
    ['{"at":5,"length":1,"bytes":"61"}\n{"at":5,"length":1,"bytes":"61"}', 3],
    ['null', 2],
    ['FOOTER\n{"at":0,"length":1,"bytes":"61"}', 3],
    ['FOOTER\nFOOTER', 3],
  ])('an undo log with the line %s', async (line, number) => {
    const { output, undo } = await convert([]);
    const [header = '', footer = ''] = undo.toString().split('\n');
    writeFileSync(path('converted'), output);
    const lines = [header, line.replaceAll('FOOTER', footer), footer, ''];
    writeFileSync(path('undo'), lines.join('\n'));
    await expect(revert()).rejects.toThrow(
      new InputError(`${path('undo')}:${number}: is damaged; copy the file again`),
    );
  });

  it('an undo log whose footer has what only other lines have', async () => {
    const { output, undo } = await convert(some);
    writeFileSync(path('converted'), output);
    for (const more of ['"at":0', '"at":0,"length":1', '"bytes":"61"']) {
      const text = undo.toString('latin1').replace(/\{([^\n]*)\}\n$/, `{$1,${more}}\n`);
      writeFileSync(path('undo'), text, 'latin1');
      await revert();
      const whole = readFileSync(path('back'));
      writeFileSync(path('undo'), undo);
      await revert();
      expect(Buffer.compare(whole, readFileSync(path('back')))).toBe(0);
    }
  });

  it('a truncated .gz of either', async () => {
    const { output, undo } = await convert(some);
    const files = { converted: gzipSync(output), undo: gzipSync(undo) };
    for (const name of ['converted', 'undo'] as const) {
      writeFileSync(path('converted'), files.converted);
      writeFileSync(path('undo'), files.undo);
      writeFileSync(path(name), files[name].subarray(0, -9));
      await expect(revert()).rejects.toThrow(
        `${path(name)}: its gzip data is truncated; copy the whole file again`,
      );
    }
  });

  it('the same file twice, and stdin twice', async () => {
    const { output, undo } = await convert(some);
    writeFileSync(path('converted'), output);
    writeFileSync(path('undo'), undo);
    for (const name of ['converted', 'undo']) {
      await expect(revert(path(name))).rejects.toThrow(
        `\`output\` and the input are the same file, ${path(name)}; choose another file`,
      );
    }
    await expect(revert(path('back'), '-', '-')).rejects.toThrow(UsageError);
    expect(readFileSync(path('converted')).equals(output)).toBe(true);
  });
});

describe('an undo log', () => {
  it('has the lines that JSON would give, at any offset', () => {
    const bytes = fc.oneof(
      { weight: 9, arbitrary: fc.uint8Array({ maxLength: 9 }) },
      fc.integer({ min: 65_530, max: 140_000 }).map((length) => new Uint8Array(length).fill(0xab)),
    );
    const edit = fc.tuple(fc.nat(1000), fc.constantFrom(0, 1, 6, 99, 12_345), bytes);
    fc.assert(
      fc.property(
        fc.array(edit, { maxLength: 6 }),
        fc.constantFrom(0, 9, 10, 2 ** 31, 2 ** 32 - 1, 2 ** 52),
        (edits, offset) => {
          const list = {
            numbers: Float64Array.from(edits.flatMap(([at, length, b]) => [at, length, b.length])),
            originals: Buffer.concat(edits.map(([, , bytes]) => bytes)),
          };
          let expected = '';
          for (const { at, length, original } of eachEdit(list)) {
            for (let start = 0; start === 0 || start < original.length; start += 1 << 16) {
              const part = Buffer.from(original.subarray(start, start + (1 << 16)));
              const splice = { at: offset + at + (start && length), length: start ? 0 : length };
              expected += `${JSON.stringify({ ...splice, bytes: part.toString('hex') })}\n`;
            }
          }
          expect(Buffer.from(formatSplices(list, offset)).toString()).toBe(expected);
        },
      ),
      { seed },
    );
  });

  it('has digests that can be continued at any byte', async () => {
    const file = Buffer.alloc((5 << 19) + 3, 'some bytes, ');
    let chain = Buffer.alloc(0);
    const sha256 = () => createHash('sha256');
    for (let i = 0; i < file.length; i += 1 << 20) {
      const link = sha256().update(file.subarray(i, i + (1 << 20)));
      chain = sha256().update(chain).update(link.digest()).digest();
    }
    for (const cut of [0, 1, 1 << 20, (1 << 20) + 1, 5 << 19, file.length]) {
      const first = await Digest.create();
      first.add(file.subarray(0, cut));
      const tail = file.subarray(cut - (cut % (1 << 20)), cut);
      const second = await Digest.resume(first.state, tail);
      second.add(file.subarray(cut));
      expect(second.finish()).toBe(chain.toString('hex'));
    }
  });
});
