// Generated from grammar.ts by `npm run generate`; a test fails if the two differ.
import * as parts from '@utf8/core/parts';

/** Loops unrolled by length, each branch below its rows. */
export const loops: parts.Loops = {
  decode(source, from, to, target, at, progress) {
    let i = parts.decodeAscii(source, from, to, 1, target, at);
    let written = at + i - from;
    while (i < to) {
      const lead = source[i] as number;
      // U+0001..U+007F = 01-7F
      if (lead < 0x80) {
        if (lead < 0x01) break;
        target[written++] = lead;
        i++;
        continue;
      }
      const second = source[i + 1] as number;
      // U+0000 = C0 80
      // U+0080..U+07FF = C2-DF 80-BF
      if (lead < 0xe0) {
        if (lead < 0xc0 || i + 2 > to || (second & 0b1100_0000) !== 0x80) break;
        const codeUnit = ((lead & 0b1_1111) << 6) | (second & 0b11_1111);
        if (codeUnit > 0x00 && codeUnit < 0x80) break;
        target[written++] = codeUnit;
        i += 2;
        continue;
      }
      const third = source[i + 2] as number;
      // U+0800..U+0FFF = E0 A0-BF 80-BF
      // U+1000..U+FFFF = E1-EF 80-BF 80-BF
      if (lead > 0xef || i + 3 > to || (second & 0b1100_0000) !== 0x80) break;
      if ((third & 0b1100_0000) !== 0x80) break;
      const codeUnit = ((lead & 0b1111) << 12) | ((second & 0b11_1111) << 6) | (third & 0b11_1111);
      if (codeUnit < 0x800) break;
      target[written++] = codeUnit;
      i += 3;
    }
    progress.read = i;
    progress.written = written;
  },

  encode(text, from, to, target, at, progress) {
    let i = from;
    for (; i < to; i++) {
      let codeUnit = text.charCodeAt(i);
      // U+0001..U+007F = 01-7F
      if (codeUnit < 0x80 && codeUnit !== 0x00) {
        do {
          target[at++] = codeUnit;
          if (++i === to) break;
          codeUnit = text.charCodeAt(i);
        } while (codeUnit < 0x80 && codeUnit !== 0x00);
        if (i === to) break;
      }
      // U+0000 = C0 80
      // U+0080..U+07FF = C2-DF 80-BF
      if (codeUnit < 0x800) {
        target[at++] = 0xc0 | (codeUnit >> 6);
        target[at++] = 0x80 | (codeUnit & 0b11_1111);
        continue;
      }
      // U+0800..U+0FFF = E0 A0-BF 80-BF
      // U+1000..U+FFFF = E1-EF 80-BF 80-BF
      target[at++] = 0xe0 | (codeUnit >> 12);
      target[at++] = 0x80 | ((codeUnit >> 6) & 0b11_1111);
      target[at++] = 0x80 | (codeUnit & 0b11_1111);
    }
    progress.read = i;
    progress.written = at;
  },

  validate(source, from, to) {
    let i = parts.skipAscii(source, from, to, 1);
    while (i < to) {
      const lead = source[i] as number;
      // U+0001..U+007F = 01-7F
      if (lead < 0x80) {
        if (lead < 0x01) break;
        i++;
        continue;
      }
      const second = source[i + 1] as number;
      // U+0000 = C0 80
      // U+0080..U+07FF = C2-DF 80-BF
      if (lead < 0xe0) {
        if (
          lead < 0xc0 ||
          i + 2 > to ||
          lead === 0xc1 ||
          second < 0x80 ||
          second > (lead === 0xc0 ? 0x80 : 0xbf)
        )
          break;
        i += 2;
        continue;
      }
      const third = source[i + 2] as number;
      // U+0800..U+0FFF = E0 A0-BF 80-BF
      // U+1000..U+FFFF = E1-EF 80-BF 80-BF
      if (lead > 0xef || i + 3 > to || second < (lead === 0xe0 ? 0xa0 : 0x80) || second > 0xbf)
        break;
      if ((third & 0b1100_0000) !== 0x80) break;
      i += 3;
    }
    return i;
  },
};
