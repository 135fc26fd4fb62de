// Evaluated in a realm before anything is changed there: what codecs are given.

const repeat = (bytes, times) =>
  Uint8Array.from({ length: times * bytes.length }, (_, i) => bytes[i % bytes.length]);
const join = (...parts) => Uint8Array.from(parts.flatMap((part) => Array.from(part)));

const ascii = [0x61, 0x62, 0x63, 0x20];
const shared = [0x61, 0xc3, 0xa9, 0xe4, 0xb8, 0xad];
const pairs = [0x61, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80];
const four = [0x61, 0xf0, 0x9f, 0x98, 0x80];
const nul = [0x61, 0xc0, 0x80, 0x62];
const faulty = [0x61, 0xff, 0xc3, 0x28, 0xe4, 0xb8, 0x62];
const lone = [0x61, 0xed, 0xa0, 0xbd, 0x62];

({
  bytes: [
    ...[ascii, shared, pairs, four, nul, faulty, lone].flatMap((bytes) => [
      repeat(bytes, 1),
      repeat(bytes, 30),
    ]),
    join(repeat(ascii, 300), faulty, repeat(shared, 300)),
    join([0xef, 0xbb, 0xbf], repeat(shared, 30)),
  ],
  texts: ['abc ', 'aé中', 'a\u{1f600}b', 'a\0b', 'a\ud800b', 'aé\udc00\ud800\uffff'].flatMap(
    (text) => [text, text.repeat(40)],
  ),
  codePoints: [0x61, 0xe9, 0x4e2d, 0xfffd],
});
