import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { codecFor } from '@utf8/detect';
import {
  BrokenPipe,
  ConvertTransform,
  type ConvertTransformOptions,
  checkDump,
  convertDump,
  DumpError,
  formatNames,
  revertDump,
  scanDump,
} from '@utf8/dump';
import { findFormat } from '@utf8/dump/internal';
import { split } from '@utf8/explain';
import { errorsPolicies, nulPolicies, RepairOptionError, surrogatePolicies } from '@utf8/repair';
import { createDump } from '../../../../../packages/dump/test/random-dump.js';
import { checkCuts, choices } from '../dump.js';
import { pathOf } from '../folder.js';
import { compose, type Input } from '../input.js';
import { require, requireEqual, requireSame, type Target } from '../target.js';
import { dumpWords, faultWords } from '../words.js';

const words = [...dumpWords, ...faultWords];

const mixed = codecFor('cesu-8+utf-8');

/** Options and the format, or plain text. */
function chooseOptions(input: Input): ConvertTransformOptions {
  const [format, formatOptions] = input.below(8) === 1 ? ['none', {}] : input.pick(choices);
  const policies = input.isChosen()
    ? {
        errors: input.pick(errorsPolicies),
        nul: input.pick(nulPolicies),
        ...(format === 'none' ? {} : { unpairedSurrogates: input.pick(surrogatePolicies) }),
      }
    : {};
  const from = input.pick(['cesu-8+utf-8', 'cesu-8+utf-8', 'utf-8', 'cesu-8', 'mutf-8']);
  const to = input.pick(['utf-8', 'utf-8', 'utf-8', 'cesu-8', 'utf8mb3']);
  return { format, formatOptions, from, to, ...policies };
}

/** A dump as bytes, or as words. */
export const readDump = (input: Input): Uint8Array =>
  input.isChosen() ? input.spell(words) : input.rest();

/** The result, or undefined if the input or the options are refused in words. */
async function settle<T>(promise: () => Promise<T>): Promise<T | undefined> {
  try {
    return await promise();
  } catch (error) {
    if (error instanceof DumpError || error instanceof RepairOptionError) return undefined;
    if (error instanceof BrokenPipe) throw new Error('a broken pipe');
    throw error;
  }
}

interface Converted {
  readonly output: Buffer;
  readonly rejects: Buffer;
  readonly stats: ConvertTransform['stats'];
}

function convert(
  parts: readonly Uint8Array[],
  options: ConvertTransformOptions,
  rejects = true,
): Promise<Converted | undefined> {
  return settle(async () => {
    const rejected: Uint8Array[] = [];
    const keep = rejects && options.format !== 'none';
    const stream = new ConvertTransform({
      ...options,
      ...(keep ? { onReject: (bytes: Uint8Array) => void rejected.push(bytes) } : {}),
    });
    const output: Uint8Array[] = [];
    const written = (async () => {
      for await (const chunk of stream) output.push(chunk);
    })();
    written.catch(() => {});
    for (const part of parts) stream.write(part);
    stream.end();
    await written;
    return { output: Buffer.concat(output), rejects: Buffer.concat(rejected), stats: stream.stats };
  });
}

function splitAt(bytes: Uint8Array, place: number): Uint8Array[] {
  const at = place % (bytes.length + 1);
  return [bytes.subarray(0, at), bytes.subarray(at)].filter(({ length }) => length > 0);
}

/** Syntax that may represent text otherwise than by its bytes. */
const SPELLED = /\\|0x|x'|char|concat/i;

async function checkConversion(options: ConvertTransformOptions, input: Input): Promise<void> {
  const cut = input.below(0x1_0000);
  const bytes = readDump(input);
  const found = await convert([bytes], options);
  const parts = await convert(splitAt(bytes, cut), options);
  requireEqual(parts === undefined, found === undefined, 'whether a stream in parts is refused');
  if (!found || !parts) return;
  requireSame(parts.output, found.output, 'a stream in parts');
  const { output, rejects, stats } = found;
  requireEqual(stats.bytesRead, bytes.length, 'bytes read');
  requireEqual(stats.bytesWritten, output.length, 'bytes written');
  if ('records' in stats) {
    const { in: all, out, rejected, changed } = stats.records;
    requireEqual(out + rejected, all, 'records');
    require(changed <= all, 'more changes than records');
    require(rejected === 0 || rejects.length > 0, 'a rejected record is lost');
  }
  await checkResult(options, bytes, found);
}

async function checkResult(
  options: ConvertTransformOptions,
  bytes: Uint8Array,
  { output, stats }: Converted,
): Promise<void> {
  const isWhole = !('records' in stats) || stats.records.rejected === 0;
  const isFixed = options.formatOptions?.fixHeader === true;
  const isPlain = options.from === 'cesu-8+utf-8' && options.to === 'utf-8' && !options.errors;
  if (isPlain && !isFixed && isWhole && !SPELLED.test(Buffer.from(bytes).toString('latin1'))) {
    const errors = 'surrogateescape';
    requireEqual(mixed.decode(output, { errors }), mixed.decode(bytes, { errors }), 'the text');
  }
  // A file whose records are rejected may have another format afterwards.
  if (!isWhole || isFixed || options.format === 'none') return;
  const again = await convert([output], { ...options, from: options.to as string }, false);
  require(again !== undefined, 'the output of a conversion is refused');
  if ('records' in stats && 'records' in again.stats) {
    requireEqual(again.stats.records.in, stats.records.out, 'records of the output');
  }
  requireSame(again.output, output, 'a conversion of the output');
}

/** With files: undone, in ranges, and as a scan has it. */
async function checkFiles(options: ConvertTransformOptions, input: Input): Promise<void> {
  const at = input.below(0x1_0000);
  const bytes = readDump(input);
  const [file, output, undo, back] = ['in', 'out', 'undo', 'back'].map(pathOf) as [
    string,
    string,
    string,
    string,
  ];
  writeFileSync(file, bytes);
  rmSync(output, { force: true });
  const { format = 'none' } = options;
  const rejects = format === 'none' ? {} : { rejects: pathOf('rejects') };
  const base = { ...options, input: file };
  const report = await settle(() => convertDump({ ...base, output, undo, ...rejects }));
  const found = await settle(() => checkDump({ input: file, from: options.from }));
  if (found) {
    const faults = new Set(
      Array.from(codecFor(options.from).faults(bytes), ({ offset }) => offset),
    );
    const malformed = [...split(bytes)].filter(({ offset, bytes: { length } }) =>
      Array.from({ length }, (_, i) => offset + i).some((each) => faults.has(each)),
    );
    requireEqual(found.total, malformed.length, 'malformed characters of a check');
  }
  if (report?.status !== 'converted' || !report.stats) return;
  const whole = readFileSync(output);
  const isWhole = !('records' in report.stats) || report.stats.records.rejected === 0;
  if (isWhole) {
    await revertDump({ input: output, undo, output: back });
    requireSame(readFileSync(back), bytes, 'what is undone');
  }
  const middle = at % (bytes.length + 1);
  const ranges: Buffer[] = [];
  for (const range of [
    { from: 0, to: middle },
    { from: middle, to: Number.POSITIVE_INFINITY },
  ]) {
    const part = await settle(() => convertDump({ ...base, ...rejects, output, range }));
    if (part?.status !== 'converted') return;
    ranges.push(readFileSync(output));
  }
  if (isWhole) requireSame(Buffer.concat(ranges), whole, 'ranges');
  if (format === 'none' || !('records' in report.stats) || options.errors) return;
  const { from, to, formatOptions } = options;
  const scan = await settle(() => scanDump({ input: file, format, formatOptions, from, to }));
  require(scan !== undefined, 'a scan refuses what a conversion accepts');
  const { in: all, rejected, changed } = report.stats.records;
  requireEqual(scan.records, all, 'records of a scan');
  requireEqual(scan.rejected, rejected, 'rejected records of a scan');
  requireEqual(scan.changed, changed, 'changed records of a scan');
}

export const target: Target = {
  title: 'dumps of every format: read, converted, undone, scanned, cut anywhere',
  maxLength: 2048,
  isAsync: true,
  words,
  *seeds() {
    for (const [i, [format]] of choices.entries()) {
      for (const seed of [1, 2, 3]) {
        const dump = createDump(format, seed, 3);
        for (const mode of [0, 1, 3]) {
          yield compose(dump, mode, 0, i, 0, 0, 0, 40, 9);
          yield compose(dump, mode, 0, i, 0, 0, 0, 9, 20, 30, 5, 50, 8);
        }
      }
    }
  },
  async run(input) {
    const mode = input.below(4);
    const options = chooseOptions(input);
    if (mode === 3) return checkFiles(options, input);
    const { format = 'none', formatOptions } = options;
    if (mode > 0 || !formatNames.includes(format)) return checkConversion(options, input);
    const sizes = Array.from({ length: 6 }, () => 1 + input.below(64));
    checkCuts(findFormat(format, formatOptions), readDump(input), sizes);
  },
};
