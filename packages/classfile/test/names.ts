/** Names of entries in the encodings of this repository, and the text that each is. */
import { crc32 } from 'node:zlib';
import { classOf, type Item } from './zip.js';

/** The flag of names in UTF-8. */
export const UTF8_FLAG = 1 << 11;

/** A name: its bytes, and those of the extra field for Unicode. */
export interface NameCase {
  readonly text: string;
  readonly raw: string;
  readonly field?: string;
  readonly isFlagged: boolean;
  /** True if libarchive reads the same text. */
  readonly isCommon: boolean;
}

const row = (
  text: string,
  raw: string,
  isFlagged: boolean,
  isCommon: boolean,
  field?: string,
): NameCase => ({ text, raw, isFlagged, isCommon, ...(field !== undefined && { field }) });

const SMILE = 'EDA0BDEDB880';

export const nameCases: readonly NameCase[] = [
  row('😀', SMILE, true, true),
  row('😁', 'EDA0BDEDB881', true, true),
  row('😀', 'F09F9880', true, true),
  row('a😀한😁', '61EDA0BDEDB880ED959CEDA0BDEDB881', true, true),
  row('😀', SMILE, false, false),
  row('😂', '81', false, true, 'EDA0BDEDB882'),
  row('한', '82', false, true, 'ED959C'),
  row('ü', '81', false, false),
  // The flag says that the name itself is Unicode.
  row('😃', '5F', false, true, 'EDA0BDEDB883'),
  row('_', '5F', true, false, 'EDA0BDEDB883'),
  // libarchive knows neither the U+0000 of Modified UTF-8 nor unpaired surrogates.
  row('a\0b', '61C08062', true, false),
  row('a\0b😀', `61C08062${SMILE}`, false, false),
  row('a\0😀', `6100${SMILE}`, true, false),
  row('\ud83d.', 'EDA0BD2E', true, false),
  row('\ude00\ud83d', 'EDB880EDA0BD', false, false),
  // Of malformed names, what is sound stays.
  row('\ufffd😀', `FF${SMILE}`, true, false),
  // A field that is malformed itself.
  row('üü', '8181', false, false, 'C3BCFF'),
];

export const toItem = ({ raw, field, isFlagged }: NameCase): Item => {
  const name = Buffer.from(`${raw}${Buffer.from('.class').toString('hex')}`, 'hex');
  let extra = Buffer.alloc(0);
  if (field !== undefined) {
    const unicode = Buffer.from(`${field}${Buffer.from('.class').toString('hex')}`, 'hex');
    extra = Buffer.alloc(9);
    extra.writeUInt16LE(0x7075, 0);
    extra.writeUInt16LE(5 + unicode.length, 2);
    extra[4] = 1;
    extra.writeUInt32LE(crc32(name), 5);
    extra = Buffer.concat([extra, unicode]);
  }
  const flags = isFlagged ? UTF8_FLAG : 0;
  return { name, bytes: classOf(raw), claims: { flags, extra, localExtra: extra } };
};
