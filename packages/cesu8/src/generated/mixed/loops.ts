// Generated from grammar.ts by `npm run generate`; a test fails if the two differ.
import * as parts from '@utf8/core/parts';

/** Loops unrolled by length, each branch below its rows. */
export const loops: parts.Loops = {
  decode(source, from, to, target, at, progress) {
    let i = parts.decodeAscii(source, from, to, 0, target, at);
    let written = at + i - from;
    while (i < to) {
      const lead = source[i] as number;
      // U+0000..U+007F = 00-7F
      if (lead < 0x80) {
        target[written++] = lead;
        i++;
        continue;
      }
      const second = source[i + 1] as number;
      // U+0080..U+07FF = C2-DF 80-BF
      if (lead < 0xe0) {
        if (lead < 0xc2 || i + 2 > to || (second & 0b1100_0000) !== 0x80) break;
        const codeUnit = ((lead & 0b1_1111) << 6) | (second & 0b11_1111);
        target[written++] = codeUnit;
        i += 2;
        continue;
      }
      const third = source[i + 2] as number;
      // U+0800..U+0FFF = E0 A0-BF 80-BF
      // U+1000..U+CFFF = E1-EC 80-BF 80-BF
      // U+D000..U+D7FF = ED 80-9F 80-BF
      // U+E000..U+FFFF = EE-EF 80-BF 80-BF
      if (lead < 0xf0) {
        if (i + 3 > to || (second & 0b1100_0000) !== 0x80) break;
        if ((third & 0b1100_0000) !== 0x80) break;
        const codeUnit =
          ((lead & 0b1111) << 12) | ((second & 0b11_1111) << 6) | (third & 0b11_1111);
        if (codeUnit < 0x800) break;
        if ((codeUnit & 0xf800) !== 0xd800) {
          target[written++] = codeUnit;
          i += 3;
          continue;
        }
        // U+10000..U+10FFFF <= ED A0-AF 80-BF + ED B0-BF 80-BF
        const lowSecond = source[i + 4] as number;
        const lowThird = source[i + 5] as number;
        if (codeUnit > 0xdbff || i + 6 > to || source[i + 3] !== 0xed) break;
        if ((lowSecond & 0b1111_0000) !== 0xb0 || (lowThird & 0b1100_0000) !== 0x80) break;
        target[written++] = codeUnit;
        target[written++] = 0xdc00 | ((lowSecond & 0b1111) << 6) | (lowThird & 0b11_1111);
        i += 6;
        continue;
      }
      const fourth = source[i + 3] as number;
      // U+10000..U+3FFFF = F0 90-BF 80-BF 80-BF
      // U+40000..U+FFFFF = F1-F3 80-BF 80-BF 80-BF
      // U+100000..U+10FFFF = F4 80-8F 80-BF 80-BF
      if (lead > 0xf4 || i + 4 > to || (second & 0b1100_0000) !== 0x80) break;
      if ((third & 0b1100_0000) !== 0x80 || (fourth & 0b1100_0000) !== 0x80) break;
      const codePoint =
        ((lead & 0b111) << 18) |
        ((second & 0b11_1111) << 12) |
        ((third & 0b11_1111) << 6) |
        (fourth & 0b11_1111);
      if (codePoint < 0x10000 || codePoint > 0x10ffff) break;
      target[written++] = 0xd7c0 + (codePoint >> 10);
      target[written++] = 0xdc00 | (codePoint & 0b11_1111_1111);
      i += 4;
    }
    progress.read = i;
    progress.written = written;
  },

  encode(text, from, to, target, at, progress) {
    let i = from;
    for (; i < to; i++) {
      let codeUnit = text.charCodeAt(i);
      // U+0000..U+007F = 00-7F
      if (codeUnit < 0x80) {
        do {
          target[at++] = codeUnit;
          if (++i === to) break;
          codeUnit = text.charCodeAt(i);
        } while (codeUnit < 0x80);
        if (i === to) break;
      }
      // U+0080..U+07FF = C2-DF 80-BF
      if (codeUnit < 0x800) {
        target[at++] = 0xc0 | (codeUnit >> 6);
        target[at++] = 0x80 | (codeUnit & 0b11_1111);
        continue;
      }
      // U+0800..U+0FFF = E0 A0-BF 80-BF
      // U+1000..U+CFFF = E1-EC 80-BF 80-BF
      // U+D000..U+D7FF = ED 80-9F 80-BF
      // U+E000..U+FFFF = EE-EF 80-BF 80-BF
      if ((codeUnit & 0xf800) !== 0xd800) {
        target[at++] = 0xe0 | (codeUnit >> 12);
        target[at++] = 0x80 | ((codeUnit >> 6) & 0b11_1111);
        target[at++] = 0x80 | (codeUnit & 0b11_1111);
        continue;
      }
      // U+10000..U+3FFFF = F0 90-BF 80-BF 80-BF
      // U+40000..U+FFFFF = F1-F3 80-BF 80-BF 80-BF
      // U+100000..U+10FFFF = F4 80-8F 80-BF 80-BF
      const low = text.charCodeAt(i + 1);
      if (codeUnit > 0xdbff || (low & 0xfc00) !== 0xdc00) break;
      const codePoint = 0x10000 + ((codeUnit & 0b11_1111_1111) << 10) + (low & 0b11_1111_1111);
      target[at++] = 0xf0 | (codePoint >> 18);
      target[at++] = 0x80 | ((codePoint >> 12) & 0b11_1111);
      target[at++] = 0x80 | ((codePoint >> 6) & 0b11_1111);
      target[at++] = 0x80 | (codePoint & 0b11_1111);
      i++;
    }
    progress.read = i;
    progress.written = at;
  },

  validate(source, from, to) {
    let i = parts.skipAscii(source, from, to, 0);
    while (i < to) {
      const lead = source[i] as number;
      // U+0000..U+007F = 00-7F
      if (lead < 0x80) {
        i++;
        continue;
      }
      const second = source[i + 1] as number;
      // U+0080..U+07FF = C2-DF 80-BF
      if (lead < 0xe0) {
        if (lead < 0xc2 || i + 2 > to || (second & 0b1100_0000) !== 0x80) break;
        i += 2;
        continue;
      }
      const third = source[i + 2] as number;
      // U+0800..U+0FFF = E0 A0-BF 80-BF
      // U+1000..U+CFFF = E1-EC 80-BF 80-BF
      // U+D000..U+D7FF = ED 80-9F 80-BF
      // U+E000..U+FFFF = EE-EF 80-BF 80-BF
      if (lead < 0xf0) {
        if (i + 3 > to || second < (lead === 0xe0 ? 0xa0 : 0x80) || second > 0xbf) break;
        if ((third & 0b1100_0000) !== 0x80) break;
        if (lead !== 0xed || second < 0xa0) {
          i += 3;
          continue;
        }
        // U+10000..U+10FFFF <= ED A0-AF 80-BF + ED B0-BF 80-BF
        if (second > 0xaf || i + 6 > to || source[i + 3] !== 0xed) break;
        const lowSecond = source[i + 4] as number;
        const lowThird = source[i + 5] as number;
        if ((lowSecond & 0b1111_0000) !== 0xb0 || (lowThird & 0b1100_0000) !== 0x80) break;
        i += 6;
        continue;
      }
      const fourth = source[i + 3] as number;
      // U+10000..U+3FFFF = F0 90-BF 80-BF 80-BF
      // U+40000..U+FFFFF = F1-F3 80-BF 80-BF 80-BF
      // U+100000..U+10FFFF = F4 80-8F 80-BF 80-BF
      if (
        lead > 0xf4 ||
        i + 4 > to ||
        second < (lead === 0xf0 ? 0x90 : 0x80) ||
        second > (lead === 0xf4 ? 0x8f : 0xbf)
      )
        break;
      if ((third & 0b1100_0000) !== 0x80 || (fourth & 0b1100_0000) !== 0x80) break;
      i += 4;
    }
    return i;
  },
};
