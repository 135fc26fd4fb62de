/** Links kernels with the drivers of `assembly/`, in one memory. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { deriveClasses } from './classes.mjs';

const PAGE = 0x10000;

/** Pages that a kernel has: the driver's own data lie after them. */
const KERNEL_PAGES = 13;
const PAGES = 15;

/** Kinds of errors, by the driver's number. */
const KINDS = [
  '',
  'accepted what is not well-formed',
  'refused too much',
  'converted wrongly',
  'miscounted what can be encoded',
  'encoded wrongly',
];

const assembly = fileURLToPath(new URL('../assembly/', import.meta.url));

/** @type {Map<string, Promise<WebAssembly.Module>>} */
const compiled = new Map();

/** Compiles a driver, once. */
function compile(name) {
  const known = compiled.get(name) ?? compileOnce(name);
  compiled.set(name, known);
  return known;
}

async function compileOnce(name) {
  let binary;
  const { error, stderr } = await asc.main(
    [
      ...[name, '--baseDir', assembly, '--outFile', 'driver.wasm'],
      ...['-O3', '--noAssert', '--runtime', 'stub'],
      ...['--importMemory', '--initialMemory', `${PAGES}`],
      ...['--memoryBase', `${KERNEL_PAGES * PAGE + 1024}`],
      ...['--enable', 'bulk-memory', '--enable', 'simd'],
    ],
    {
      readFile(file, folder) {
        const source = path.resolve(folder, file);
        return existsSync(source) ? readFileSync(source, 'utf8') : null;
      },
      writeFile(file, content) {
        if (file === 'driver.wasm') binary = content;
      },
    },
  );
  if (error) throw new Error(`${name} does not compile:\n${stderr}`, { cause: error });
  return new WebAssembly.Module(binary);
}

/**
 * A difference between a kernel and the rows.
 *
 * @typedef {object} Difference
 * @property {string} kind
 * @property {string} tried The bytes or code units, as they lie in memory, in hexadecimal.
 * @property {number} at Their position in the input, in bytes or code units.
 * @property {number} length Of the input.
 * @property {number} said The number of them that the kernel accepted or wrote.
 * @property {number} expected How many the rows do.
 */

/**
 * Links a kernel's functions for bytes to a driver of their own.
 *
 * @param {import('./subjects.mjs').Subject} subject
 */
export async function linkBytes({ wasm, accept, convert, read, refused, written }) {
  const { kernel, memory } = instantiate(wasm);
  const driver = await instantiateDriver('bytes.ts', memory, {
    accept: kernel[accept],
    convert: kernel[convert],
  });
  const view = new DataView(memory.buffer);
  writeRows(view, driver.READ.value, read);
  writeRows(view, driver.REFUSED.value, refused);
  writeRows(view, driver.WRITTEN.value, written ?? []);
  const classes = deriveClasses([...read, ...refused]);
  classes.flat().forEach((byte, i) => {
    view.setUint8(driver.MEMBERS.value + i, byte);
  });
  let start = 0;
  classes.forEach((members, i) => {
    view.setUint8(driver.STARTS.value + i, start);
    start += members.length;
  });
  driver.configure(
    kernel.INPUT.value,
    kernel.OUTPUT.value,
    written === undefined,
    read.length,
    refused.length,
    written?.length ?? 0,
    classes.length,
  );
  const { words, places, strings, alike } = driver;
  return {
    /** Number of classes of bytes. */
    classes: classes.length,
    words,
    /** Tries a string at the places `from` to `to`. */
    places(bytes, from, to, filler) {
      bytes.forEach((byte, i) => {
        view.setUint8(driver.GIVEN.value + i, byte);
      });
      return places(bytes.length, from, to, filler);
    },
    strings,
    alike,
    takeDifference: () => takeDifference(view, driver),
  };
}

/**
 * Links a kernel's functions for code units to a driver of their own.
 *
 * @param {Uint8Array<ArrayBuffer>} wasm
 * @param {readonly import('./subjects.mjs').Sequence[]} written
 */
export async function linkUnits(wasm, written) {
  const { kernel, memory } = instantiate(wasm);
  const { encode, encodableLength } = kernel;
  const driver = await instantiateDriver('units.ts', memory, {
    encode,
    encodable: encodableLength ?? ((_, n) => n),
  });
  const view = new DataView(memory.buffer);
  writeRows(view, driver.WRITTEN.value, written);
  driver.configure(kernel.INPUT.value, kernel.OUTPUT.value, !encodableLength, written.length);
  const { units, pairs, strings } = driver;
  return { units, pairs, strings, takeDifference: () => takeDifference(view, driver) };
}

function instantiate(wasm) {
  const { exports: kernel } = new WebAssembly.Instance(new WebAssembly.Module(wasm), {});
  const { memory } = kernel;
  if (memory.buffer.byteLength !== KERNEL_PAGES * PAGE) throw new Error('the memory has grown');
  memory.grow(PAGES - KERNEL_PAGES);
  return { kernel, memory };
}

async function instantiateDriver(name, memory, kernel) {
  const imports = { env: { memory, abort: () => {} }, kernel };
  return new WebAssembly.Instance(await compile(name), imports).exports;
}

/** Takes the first difference since the last time; undefined if there was none. */
function takeDifference(view, { WRONG, TRIED }) {
  const [kind, at, length, said, expected] = Array.from({ length: 5 }, (_, i) =>
    view.getUint32(WRONG.value + 4 * i, true),
  );
  if (kind === 0) return undefined;
  view.setUint32(WRONG.value, 0, true);
  const tried = Buffer.from(view.buffer, TRIED.value, 16).toString('hex');
  return { kind: KINDS[kind], tried, at, length, said, expected };
}

/** In the form of `READ` in the driver. */
function writeRows(view, at, sequences) {
  sequences.forEach(({ codePoint, ranges }, row) => {
    const start = at + 24 * row;
    view.setUint8(start, ranges.length);
    ranges.forEach(({ first, last }, i) => {
      view.setUint8(start + 1 + i, first);
      view.setUint8(start + 9 + i, last);
    });
    view.setUint32(start + 20, codePoint, true);
  });
}
