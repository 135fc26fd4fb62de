/**
 * All inputs of one, two and three bytes against row arithmetic, hundreds of them in each call. Where no two bytes of
 * an input belong together, neither do they in `abcab`: three inputs that each begin where a character does.
 */
import type { Codec, Domain } from '@utf8/core';
import { describe, expect, it } from 'vitest';
import { choose, isNight } from '../../tiers/tier.js';
import { byteClasses } from './cases.js';
import { isText, Oracle } from './oracle.js';
import type { SuiteOptions } from './suite.js';

/** Ends an open sequence. */
const LF = 0x0a;
const values = Array.from({ length: 256 }, (_, i) => i);
/** Tests that all inputs of three bytes are cut into. */
const PARTS = 32;

interface Options extends SuiteOptions {
  /** Another implementation, under `replace`, which must agree as well. */
  readonly reference?: (bytes: Uint8Array) => string;
  /** Third of the tests to register: files run at the same time. */
  readonly third: 1 | 2 | 3;
}

/** Registers tests of a codec. */
export function testShortInputs(
  title: string,
  codec: Codec,
  { reference, isSampled = false, third }: Options,
): void {
  const oracle = new Oracle(codec.grammar);
  const inputs = new Inputs(codec);

  const check = (...head: readonly number[]): void => {
    inputs.write(head);
    const bytes = inputs.bytes.subarray(0, inputs.size);
    const expected = inputs.toString();
    const what = `[${head}] and each byte`;
    if (codec.decode(bytes, { errors: 'replace' }) !== expected) expect.fail(`differs at ${what}`);
    if (!isNight && head[0] !== head[1]) return;
    if (reference && reference(bytes) !== expected) {
      expect.fail(`the reference differs at ${what}`);
    }
    if (oracle.replace(bytes) !== expected) expect.fail(`row arithmetic differs at ${what}`);
  };
  const checkThree = (leads: readonly number[]): void => {
    for (const lead of leads) for (const second of values) check(lead, second);
  };

  describe(`${title}, short inputs`, () => {
    if (isSampled || third === 1) {
      it('reads all inputs of one byte, and of two, as row arithmetic does', () => {
        check();
        for (const lead of values) check(lead);
      });
    }

    if (isSampled) {
      it('reads inputs of three bytes, behind some first bytes, as row arithmetic does', () => {
        checkThree(choose(values, 8));
      });
      return;
    }
    for (let part = third - 1; part < PARTS; part += 3) {
      it(`reads all inputs of three bytes as row arithmetic does, part ${part + 1} of ${PARTS}`, () => {
        checkThree(values.filter((lead) => lead % PARTS === part));
      });
    }
  });
}

/** Writes inputs that differ in their last byte, and their decoded text. */
class Inputs {
  readonly bytes: Uint8Array = new Uint8Array(1024 + 3);
  readonly units: Uint16Array = new Uint16Array(1024 + 3);
  size = 0;
  length = 0;
  readonly #oracle: Oracle;
  readonly #domain: Domain;
  readonly #classes: readonly (readonly number[])[];
  /** The code unit that a byte alone decodes to. */
  readonly #alone: readonly number[];
  /** For each two bytes, whether they belong together. */
  readonly #areJoined: readonly boolean[];

  constructor({ grammar }: Codec) {
    const oracle = new Oracle(grammar);
    this.#oracle = oracle;
    this.#domain = grammar.domain;
    this.#classes = byteClasses(grammar);
    this.#alone = values.map((byte) => oracle.replace(Uint8Array.of(byte)).charCodeAt(0));
    const areJoined: boolean[] = new Array(1 << 16);
    for (const leads of this.#classes) {
      for (const trails of this.#classes) {
        const pieces = oracle.read(Uint8Array.of(leads[0] as number, trails[0] as number));
        for (const lead of leads) {
          for (const trail of trails) areJoined[(lead << 8) | trail] = pieces.length === 1;
        }
      }
    }
    this.#areJoined = areJoined;
  }

  write(head: readonly number[]): void {
    this.size = 0;
    this.length = 0;
    const [first = 0, second = 0] = head;
    const areFree = head.length === 2 && !this.#areJoined[(first << 8) | second];
    const isFree = (last: number): boolean =>
      areFree && !this.#areJoined[(second << 8) | last] && !this.#areJoined[(last << 8) | first];
    // Of the three that begin with each byte in turn, the one that begins with the least stands for all.
    if (areFree && second >= first) {
      for (const last of values.slice(first)) {
        if (isFree(last)) for (const byte of [first, second, last]) this.#push(byte);
      }
      for (const byte of [first, second, LF]) this.#push(byte);
    }
    for (const bytes of this.#classes) {
      if (!isFree(bytes[0] as number)) this.#writeClass(head, bytes);
    }
  }

  /** Writes a line for each byte of a class: all are read alike, and their characters differ by their distance. */
  #writeClass(head: readonly number[], bytes: readonly number[]): void {
    const pieces = this.#oracle.read(Uint8Array.of(...head, bytes[0] as number));
    for (const byte of bytes) {
      for (const each of head) this.bytes[this.size++] = each;
      this.bytes[this.size++] = byte;
      for (const { offset, length, codePoint } of pieces) {
        const isMoved = offset + length > head.length ? byte - (bytes[0] as number) : 0;
        this.units[this.length++] = isText(this.#domain, codePoint) ? codePoint + isMoved : 0xfffd;
      }
      this.#push(LF);
    }
  }

  toString(): string {
    return Buffer.from(this.units.buffer).toString('utf16le', 0, 2 * this.length);
  }

  #push(byte: number): void {
    this.bytes[this.size++] = byte;
    this.units[this.length++] = this.#alone[byte] as number;
  }
}
