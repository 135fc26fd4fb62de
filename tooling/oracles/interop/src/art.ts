/**
 * Android's runtime, ART, as a peer: a port of what its sources say, function by function, without a
 * shortcut. There is no ART to run here. The sources are those of the Android Open Source Project,
 * platform/art, as of Android 14:
 *
 * - libdexfile/dex/utf-inl.h: `GetUtf16FromUtf8`, `ConvertUtf16ToUtf8`, whose flags utf.h explains
 * - libdexfile/dex/utf.cc: `CountModifiedUtf8Chars`, `ConvertModifiedUtf8ToUtf16`
 * - libdexfile/dex/dex_file_verifier.cc: `CheckIntraStringDataItem`
 * - runtime/jni/jni_internal.cc: `VisitUtf8Chars`, `NewStringUTF`, `GetStringUTFChars`
 * - runtime/jni/check_jni.cc: `CheckUtfBytes`
 */
import { type Answer, formatBytes } from './answer.js';
import { createLocalPeer } from './local-peer.js';
import type { Peer } from './peer.js';

const TRAIL = 0b0011_1111;

/** A byte, or the 00 that ends every string of C. */
const byteAt = (bytes: Uint8Array, index: number): number => bytes[index] ?? 0;

const isTrail = (byte: number): boolean => (byte & 0b1100_0000) === 0b1000_0000;

/** Returns the number of bytes that a lead announces. Only three bits matter: 80 announces two bytes, FF four. */
function announcedLength(lead: number): number {
  if ((lead & 0b1000_0000) === 0) return 1;
  if ((lead & 0b0010_0000) === 0) return 2;
  if ((lead & 0b0001_0000) === 0) return 3;
  return 4;
}

/** The value of the bytes of one sequence of up to three bytes. */
function readShort(bytes: Uint8Array, at: number, length: number): number {
  const lead = byteAt(bytes, at);
  const two = byteAt(bytes, at + 1) & TRAIL;
  const three = byteAt(bytes, at + 2) & TRAIL;
  if (length === 1) return lead;
  if (length === 2) return ((lead & 0b0001_1111) << 6) | two;
  return ((lead & 0b0000_1111) << 12) | (two << 6) | three;
}

function readLong(bytes: Uint8Array, at: number): number {
  const lead = byteAt(bytes, at) & 0b0000_1111;
  const two = byteAt(bytes, at + 1) & TRAIL;
  const three = byteAt(bytes, at + 2) & TRAIL;
  const four = byteAt(bytes, at + 3) & TRAIL;
  return (lead << 18) | (two << 12) | (three << 6) | four;
}

/** `CountModifiedUtf8Chars`: how many code units a string of a DEX file has. */
export function countChars(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = announcedLength(byteAt(bytes, at));
    count += length === 4 ? 2 : 1;
    at += length;
  }
  return count;
}

/** `ConvertModifiedUtf8ToUtf16`, for strings of DEX files. It checks nothing. */
export function convertToUtf16(bytes: Uint8Array): number[] {
  const units: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = announcedLength(byteAt(bytes, at));
    if (length < 4) units.push(readShort(bytes, at, length));
    else {
      const codePoint = readLong(bytes, at);
      units.push(((codePoint >>> 10) + 0xd7c0) & 0xffff);
      // A trailing code unit of 0 would be left out; (x & 3FF) + DC00 never is 0.
      units.push((codePoint & 0x3ff) + 0xdc00);
    }
    at += length;
  }
  return units;
}

/**
 * `CheckIntraStringDataItem`: whether the verifier of DEX files accepts the bytes of a string.
 *
 * @param count - The number of code units that the file gives for the string.
 */
export function verifyStringData(bytes: Uint8Array, count: number): boolean {
  let at = 0;
  for (let i = 0; i < count; i++) {
    const lead = byteAt(bytes, at++);
    const kind = lead >> 4;
    if (lead === 0) return false;
    if (kind <= 7) continue;
    if (kind <= 0xb || kind === 0xf) return false;
    const two = byteAt(bytes, at++);
    if (!isTrail(two)) return false;
    if (kind <= 0xd) {
      const value = ((lead & 0b0001_1111) << 6) | (two & TRAIL);
      if (value !== 0 && value < 0x80) return false;
      continue;
    }
    const three = byteAt(bytes, at++);
    if (!isTrail(three)) return false;
    const value = ((lead & 0b0000_1111) << 12) | ((two & TRAIL) << 6) | (three & TRAIL);
    if (value < 0x800) return false;
  }
  return at === bytes.length;
}

/** `CheckUtfBytes`: whether CheckJNI accepts an argument. Otherwise the process is aborted. */
export function checkUtfBytes(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; ) {
    const lead = byteAt(bytes, at++);
    const kind = lead >> 4;
    if (kind <= 7) continue;
    if (kind <= 0xb) return false;
    if (kind === 0xf && (lead & 0b0000_1000) !== 0) return false;
    if (kind === 0xf && !isTrail(byteAt(bytes, at++))) return false;
    if (kind >= 0xe && !isTrail(byteAt(bytes, at++))) return false;
    if (!isTrail(byteAt(bytes, at++))) return false;
  }
  return true;
}

/** `NewStringUTF` without CheckJNI: it replaces what the end cuts by "?", and accepts the rest. */
export function newStringUtf(bytes: Uint8Array): number[] {
  const units: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = announcedLength(byteAt(bytes, at));
    if (bytes.length - at < length) {
      units.push('?'.charCodeAt(0));
      break;
    }
    if (length < 4) units.push(readShort(bytes, at, length));
    else {
      const bits = (readLong(bytes, at) - 0x10000) >>> 0;
      units.push(0xd800 | ((bits >>> 10) & 0x3ff));
      units.push(0xdc00 | (bits & 0x3ff));
    }
    at += length;
  }
  return units;
}

/**
 * `ConvertUtf16ToUtf8` with a long zero, and without replacement. `GetStringUTFChars` and
 * `ConvertUtf16ToModifiedUtf8` write pairs in four bytes.
 */
export function convertToUtf8(units: readonly number[], pairsInFour: boolean): number[] {
  const bytes: number[] = [];
  for (let i = 0; i < units.length; i++) {
    const unit = units[i] as number;
    const next = units[i + 1];
    if (unit < 0x80 && unit !== 0) {
      bytes.push(unit);
    } else if (unit < 0x800) {
      bytes.push((unit >> 6) | 0xc0);
      bytes.push((unit & 0x3f) | 0x80);
    } else if (
      pairsInFour &&
      (unit & 0xfc00) === 0xd800 &&
      next !== undefined &&
      (next & 0xfc00) === 0xdc00
    ) {
      const codePoint = (unit << 10) + next - ((0xd800 << 10) + 0xdc00 - 0x10000);
      i++;
      bytes.push((codePoint >> 18) | 0xf0);
      bytes.push(((codePoint >> 12) & 0x3f) | 0x80);
      bytes.push(((codePoint >> 6) & 0x3f) | 0x80);
      bytes.push((codePoint & 0x3f) | 0x80);
    } else {
      bytes.push((unit >> 12) | 0xe0);
      bytes.push(((unit >> 6) & 0x3f) | 0x80);
      bytes.push((unit & 0x3f) | 0x80);
    }
  }
  return bytes;
}

const formatCodeUnits = (units: readonly number[]): string =>
  units.map((unit) => unit.toString(16).padStart(4, '0')).join('');

const readUnits = (bytes: Uint8Array): number[] =>
  Array.from(
    { length: bytes.length / 2 },
    (_, i) => (byteAt(bytes, 2 * i) << 8) | byteAt(bytes, 2 * i + 1),
  );

const encode =
  (pairsInFour: boolean): Answer =>
  (input) =>
    `ok ${formatBytes(Uint8Array.from(convertToUtf8(readUnits(input), pairsInFour)))}`;

export const art: Peer = createLocalPeer('art', 'a port of ART', {
  /** `NewStringUTF` with CheckJNI. Its argument ends at the first 00, so there is no such argument. */
  'jni.decode': (bytes) =>
    !bytes.includes(0) && checkUtfBytes(bytes)
      ? `ok ${formatCodeUnits(newStringUtf(bytes))}`
      : 'fault - -',
  'jni.encode': encode(true),
  /** A string of a DEX file: verified, and read. */
  'dex.decode': (bytes) =>
    verifyStringData(bytes, countChars(bytes))
      ? `ok ${formatCodeUnits(convertToUtf16(bytes))}`
      : 'fault - -',
  /** Modified UTF-8 according to the table in utf.h. */
  'dex.encode': encode(false),
});
