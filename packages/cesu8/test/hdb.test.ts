/** The codec in node-hdb, which writes and reads every text through its own copy of iconv-lite. */
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import * as cesu8 from '@utf8/cesu8';
import { register } from '@utf8/cesu8/iconv-lite';
import * as lenient from '@utf8/cesu8/lenient';
import * as mixed from '@utf8/cesu8/mixed';
import { beforeAll, describe, expect, it } from 'vitest';
import { readHex } from '../../../tooling/oracles/interop/src/hex.js';

const require = createRequire(import.meta.url);
const { iconv } = require('hdb');
const convert = require('hdb/lib/util/convert');
const Reader = require('hdb/lib/protocol/Reader');
const Writer = require('hdb/lib/protocol/Writer');
const { TypeCode } = require('hdb/lib/protocol/common');
const Text = require('hdb/lib/protocol/data/Text');
const TextList = require('hdb/lib/protocol/data/TextList');

/** A value of a column as HANA sends it: its length in bytes before it. */
const readString = (value: Buffer): string =>
  new Reader(Buffer.concat([Buffer.of(value.length), value]), undefined, {
    useCesu8: true,
  }).readString();

/** A parameter of a statement as hdb sends it, without the type and the length before it. */
async function writeString(text: string): Promise<Buffer> {
  const params = { types: [TypeCode.NSTRING], values: [text] };
  const writer = Writer.create(params, { useCesu8: true });
  const getParameters = promisify<number, Buffer>(writer.getParameters.bind(writer));
  return (await getParameters(1024)).subarray(2);
}

const writeList = (...texts: string[]): Buffer =>
  TextList.write.call(texts, { useCesu8: true }).buffer;

it('has an iconv-lite of its own, which is the one that it gives away', () => {
  const own = createRequire(require.resolve('hdb'))('iconv-lite');
  expect(iconv).toBe(own);
  expect(iconv).not.toBe(require('iconv-lite'));
});

describe('node-hdb as it is', () => {
  it('reads a value that is cut short with a digit zero at its end', () => {
    expect(readString(readHex('41 ED A0'))).toBe('A0\ufffd');
    expect(convert.lengthInCesu8(readHex('41 ED A0'))).toBe(3);
  });

  it('reads four U+FFFD for a four-byte character', () => {
    expect(readString(readHex('F0 9F 98 80'))).toBe('\ufffd'.repeat(4));
  });
});

describe('node-hdb with the codec', () => {
  beforeAll(() => register(iconv));

  it('reads values of columns with it', () => {
    expect(readString(readHex('41 ED A0'))).toBe('A\ufffd');
    expect(readString(readHex('41 C0 80 ED A0 BD ED B8 80'))).toBe('A\ufffd\ufffd\u{1f600}');
    expect(convert.lengthInCesu8(readHex('41 ED A0'))).toBe(2);
  });

  it('writes parameters with it', async () => {
    expect(await writeString('A\u{1f600}')).toEqual(readHex('41 ED A0 BD ED B8 80'));
    expect(await writeString('A\ud83d')).toEqual(readHex('41 EF BF BD'));
  });

  it('writes commands and lists of texts with it', () => {
    const command = "select '\u{1f600}\ud83d' from dummy";
    const part = Text.write.call(undefined, { useCesu8: true }, command);
    expect(part.buffer).toEqual(Buffer.from(cesu8.encode(command, { errors: 'replace' })));
    expect(Text.read({ buffer: part.buffer, useCesu8: true })).toBe(command.toWellFormed());
    expect(writeList('\u{1f600}', 'A')).toEqual(readHex('06 ED A0 BD ED B8 80 01 41'));
  });

  it('counts the units of a text in pieces, of which one ends within a pair', () => {
    // This is where hdb asks for the rest of an NCLOB.
    for (const codec of [cesu8, lenient]) {
      register(iconv, { codec });
      expect(convert.lengthInCesu8(readHex('41 ED A0 BD'), false)).toBe(2);
      expect(convert.lengthInCesu8(readHex('ED B8 80 42'), false)).toBe(2);
    }
  });
});

describe('node-hdb with the codecs for what a database holds', () => {
  beforeAll(() => register(iconv, { codec: mixed, encodeAs: lenient }));

  it('reads both spellings of a pair and writes the one that HANA wants', async () => {
    expect(readString(readHex('ED A0 BD ED B8 80 F0 9F 98 80'))).toBe('\u{1f600}\u{1f600}');
    expect(await writeString('\u{1f600}')).toEqual(readHex('ED A0 BD ED B8 80'));
  });

  it('reads and writes lone surrogates when it is told to', async () => {
    expect(await writeString('A\ud83d')).toEqual(readHex('41 ED A0 BD'));
    register(iconv, { codec: lenient });
    expect(readString(readHex('41 ED A0 BD'))).toBe('A\ud83d');
  });
});
