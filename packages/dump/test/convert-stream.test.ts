/** Conversions of streams: bytes in, bytes out, and what ends them. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import {
  ConvertTransform,
  type ConvertTransformOptions,
  RefusedError,
} from '../src/convert/transform.js';
import { InputError, UsageError } from '../src/error.js';
import { bytesOf, cesu } from './format-reading.js';

const FOUR = '\xf0\x9f\x98\x80';
const csv = { format: 'csv', from: 'cesu-8+utf-8' };

/** Converts a text that comes in chunks of so many bytes. */
async function convert(text: string, size: number, options: ConvertTransformOptions) {
  const bytes = bytesOf(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size),
  );
  const transform = new ConvertTransform(options);
  const output = await buffer(Readable.from(chunks).pipe(transform));
  return { output: output.toString('latin1'), stats: transform.stats };
}

/** The error that a stream ends with, and what came before it. */
async function fail(chunks: readonly unknown[], options: ConvertTransformOptions) {
  const transform = new ConvertTransform(options);
  const output: Buffer[] = [];
  const error = await new Promise<Error>((resolve, reject) => {
    transform.on('data', (chunk) => output.push(chunk));
    transform.on('error', resolve);
    transform.on('end', () => reject(new Error('it did not fail')));
    Readable.from(chunks).pipe(transform);
  });
  return { error, output: Buffer.concat(output).toString('latin1') };
}

describe('a stream is converted', () => {
  it.each([1, 7, 1000])('in the format of its dump, from chunks of %i bytes', async (size) => {
    const text = `-- MySQL dump 10.13\nSET NAMES utf8mb4;\nCREATE TABLE t (a text, b blob);\nINSERT INTO t VALUES ('<>','${cesu.emoji}');\n`;
    const from = 'cesu-8+utf-8';
    const { output, stats } = await convert(text.replace('<>', cesu.emoji), size, { from });
    expect(output).toBe(text.replace('<>', FOUR));
    expect(stats).toMatchObject({ format: 'mysqldump', records: { changed: 1 } });
    const plain = await convert(text.replace('<>', ''), size, { from, format: 'none' });
    expect(plain.output).toContain(FOUR);
    const { error } = await fail([bytesOf(text)], csv);
    expect(error).toBeInstanceOf(UsageError);
  });

  it.each([1, 2, 3, 5, 7, 1000])('as records, from chunks of %i bytes', async (size) => {
    const rejects: Uint8Array[] = [];
    const text = `id,name\n1,"${cesu.emoji}\n"\n2,${cesu.high}\n3,x\n`;
    const { output, stats } = await convert(text, size, {
      ...csv,
      onReject: (bytes) => void rejects.push(bytes),
    });
    expect(output).toBe(`id,name\n1,"${FOUR}\n"\n3,x\n`);
    expect(Buffer.concat(rejects).toString('latin1')).toBe(`id,name\n2,${cesu.high}\n`);
    expect(rejects.every((bytes) => bytes.length > 0)).toBe(true);
    expect(stats).toMatchObject({
      file: '-',
      format: 'csv',
      from: 'cesu-8+utf-8',
      to: 'utf-8',
      bytesRead: text.length,
      bytesWritten: output.length,
      records: { in: 3, out: 2, rejected: 1, changed: 1 },
      findings: { pair: 1, 'unpaired-surrogate': 1 },
    });
  });

  it.each([1, 2, 3, 5, 1000])('as plain text, from chunks of %i bytes', async (size) => {
    const text = `a${cesu.emoji}\n\xff${FOUR}`;
    const { output, stats } = await convert(text, size, {
      from: 'cesu-8+utf-8',
      errors: 'replace',
      bom: 'add',
    });
    expect(output).toBe(`\xef\xbb\xbfa${FOUR}\n\xef\xbf\xbd${FOUR}`);
    expect(stats).toMatchObject({
      files: ['-'],
      bytesRead: text.length,
      faults: { 'invalid-lead': 1 },
      bom: { added: 1 },
    });
  });

  it('as an array of JSON, of which both parts are arrays', async () => {
    const rejects: Uint8Array[] = [];
    const { output } = await convert(`[{"a":"${cesu.high}"},\n{"a":"x"}]\n`, 4, {
      format: 'json',
      from: 'cesu-8+utf-8',
      onReject: (bytes) => void rejects.push(bytes),
    });
    expect(JSON.parse(output)).toEqual([{ a: 'x' }]);
    const rejected = Buffer.concat(rejects).toString('latin1');
    expect(rejected.replace(cesu.high, 'high').replaceAll(/\s/g, '')).toBe('[{"a":"high"}]');
  });

  it('without telling about a mark that is added where rejected records are told', async () => {
    const rejects: Uint8Array[] = [];
    const { output } = await convert('a\n', 4, {
      from: 'utf-8',
      bom: 'add',
      onReject: (bytes) => void rejects.push(bytes),
    });
    expect([output, rejects]).toEqual(['\xef\xbb\xbfa\n', []]);
  });

  it('from empty chunks, and from none', async () => {
    const transform = new ConvertTransform(csv);
    const output = buffer(transform);
    transform.write(new Uint8Array());
    transform.write(Buffer.from('a\n'));
    transform.write(new Uint8Array());
    transform.end(Buffer.from('b'));
    expect((await output).toString()).toBe('a\nb');
    expect((await convert('', 1, csv)).output).toBe('');
  });

  it('without keeping the memory of a chunk', async () => {
    const transform = new ConvertTransform({ from: 'utf-8' });
    const output = buffer(transform);
    const chunk = Buffer.from('one\n');
    await new Promise((resolve) => transform.write(chunk, resolve));
    chunk.set(Buffer.from('two\n'));
    await new Promise((resolve) => transform.write(chunk, resolve));
    transform.end();
    expect((await output).toString()).toBe('one\ntwo\n');
  });

  it('from many megabytes', async () => {
    const text = `1,${cesu.emoji.repeat(50)}\n`.repeat(10_000);
    const { output } = await convert(text, 1 << 16, csv);
    expect(output === `1,${FOUR.repeat(50)}\n`.repeat(10_000)).toBe(true);
  });
});

describe('a stream ends', () => {
  it('with the record that is refused, after what precedes it', async () => {
    const { error, output } = await fail(
      [bytesOf(`id,name\n1,a\n2,${cesu.high}\n`), bytesOf('3,x\n')],
      csv,
    );
    expect(error).toBeInstanceOf(RefusedError);
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toBe('line 3, column name: offset 14: unpaired-surrogate: ED A0 BD');
    expect(error).toMatchObject({
      code: 'ERR_UTF8_INPUT',
      refusal: { file: '-', record: 2, line: 3, column: 'name', kind: 'unpaired-surrogate' },
    });
    expect(output).toBe('id,name\n1,a\n');
  });

  it('with the fault that is refused, by its line in the stream', async () => {
    const chunks = [bytesOf('a\n\xc3\xa9'), bytesOf('\n\xc3'), bytesOf('\xa9\xff')];
    const { error, output } = await fail(chunks, { from: 'cesu-8' });
    expect(error).toBeInstanceOf(RefusedError);
    expect(error.message).toBe('line 3, column 2: offset 7: invalid-lead: FF');
    expect(output).toBe('a\n\xc3\xa9\n\xc3\xa9');
  });

  it('with what is not of its format', async () => {
    const { error } = await fail([bytesOf('a,b\n1,"x"y\n')], csv);
    expect(error).toBeInstanceOf(InputError);
    expect(error).not.toBeInstanceOf(RefusedError);
    expect(error.message).toMatch(/^-:2: text follows/);
    const open = await fail([bytesOf('a,b\n1,"x')], csv);
    expect(open.error.message).toMatch(/^-:2: /);
  });

  it('with a chunk that is no bytes', async () => {
    const { error } = await fail(['text'], csv);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe('ConvertTransform needs bytes; pass a Buffer or a Uint8Array');
  });

  it('with what is thrown at a rejected record', async () => {
    const onReject = () => {
      throw new Error('mine');
    };
    const { error } = await fail([bytesOf(`a\n${cesu.high}\n`)], { ...csv, onReject });
    expect(error.message).toBe('mine');
  });

  it('with the error of a promise that is rejected at a rejected record', async () => {
    const onReject = async () => {
      await new Promise((done) => setImmediate(done));
      throw new Error('mine');
    };
    const { error } = await fail([bytesOf(`a\n${cesu.high}\n`)], { ...csv, onReject });
    expect(error.message).toBe('mine');
  });

  it('before it begins if its options contradict each other', () => {
    expect(() => new ConvertTransform({ ...csv, jobs: 0 })).toThrow(UsageError);
    expect(() => new ConvertTransform({ ...csv, from: 'latin-9' })).toThrow(
      expect.objectContaining({ code: 'ERR_UTF8_LABEL' }),
    );
  });

  it('if it is destroyed', async () => {
    const transform = new ConvertTransform(csv);
    transform.write(Buffer.from('a\n'));
    const closed = new Promise((resolve) => transform.once('close', resolve));
    const failed = new Promise((resolve) => transform.once('error', resolve));
    transform.destroy(new Error('mine'));
    await closed;
    expect(await failed).toMatchObject({ message: 'mine' });
  });
});
