/** Readers with one deviation each, and the expected report of the probe. */
import type { DeviationKind, Output, ProbeOptions, Read } from '../src/probe/index.js';

export interface Faulty {
  readonly fault: string;
  readonly kind: DeviationKind;
  /** Matches a part of the description. */
  readonly does: RegExp;
  /** Creates a reader without state. */
  readonly create: () => Read;
  /** True to read many vectors at once. */
  readonly isJoined?: boolean;
  /** True if finding it takes a second. */
  readonly isSlow?: boolean;
  /** True if only a thorough probe finds it. */
  readonly isDeep?: boolean;
  /** The closest variant, if that is not UTF-8. */
  readonly variant?: string;
  readonly createParts?: () => NonNullable<ProbeOptions['readParts']>;
}

const options = { ignoreBOM: true };
const good = (bytes: Uint8Array): string => new TextDecoder('utf-8', options).decode(bytes);
const strict = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { ...options, fatal: true }).decode(bytes);

const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const toBytes = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Decodes UTF-8, except that matches of a pattern are changed. */
const except =
  (pattern: RegExp, change: (found: string) => string): Read =>
  (bytes) => {
    let text = '';
    let at = 0;
    const all = latin(bytes);
    for (const { 0: found, index } of all.matchAll(pattern)) {
      text += good(toBytes(all.slice(at, index))) + change(found);
      at = index + found.length;
    }
    return text + good(toBytes(all.slice(at)));
  };

/** Reads the payload bits of a sequence. */
const bits = (found: string): number => {
  const bytes = toBytes(found);
  let value = (bytes[0] as number) & (0x7f >> bytes.length);
  for (const byte of bytes.subarray(1)) value = value * 64 + (byte & 0x3f);
  return value;
};
const accepting = (pattern: RegExp): Read =>
  except(pattern, (found) => String.fromCodePoint(bits(found)));

const after =
  (change: (text: string) => string): (() => Read) =>
  () =>
  (bytes) =>
    change(good(bytes));

const toPoints = (text: string): number[] =>
  Array.from(text, (character) => character.codePointAt(0) as number);

export const faulty: readonly Faulty[] = [
  {
    fault: 'accepts overlong sequences of two bytes',
    kind: 'accepts overlong sequences',
    does: /overlong sequences of two bytes/,
    create: () => accepting(/[\xc0\xc1][\x80-\xbf]/g),
  },
  {
    fault: 'accepts overlong sequences of three bytes',
    kind: 'accepts overlong sequences',
    does: /overlong sequences of three bytes/,
    create: () => accepting(/\xe0[\x80-\x9f][\x80-\xbf]/g),
  },
  {
    fault: 'accepts C0 80',
    kind: 'accepts overlong sequences',
    does: /C0 80 as U\+0000/,
    create: () => accepting(/\xc0\x80/g),
  },
  {
    fault: 'reads any byte as a trail of C0 to DF',
    kind: 'reads any byte as a trail',
    does: /any byte as the trail/,
    create: () => except(/[\xc0-\xdf][\0-\xff]/g, (found) => String.fromCodePoint(bits(found))),
  },
  {
    fault: 'accepts surrogates',
    kind: 'accepts surrogates',
    does: /surrogates in three bytes/,
    create: () => accepting(/\xed[\xa0-\xbf][\x80-\xbf]/g),
  },
  {
    fault: 'accepts numbers above U+10FFFF in four bytes',
    kind: 'accepts numbers beyond Unicode',
    does: /four-byte sequences above/,
    create: () => (bytes) => {
      const pattern = /\xf4[\x90-\xbf][\x80-\xbf]{2}|[\xf5-\xf7][\x80-\xbf]{3}/g;
      const numbers: number[] = [];
      const text = except(pattern, (found) => {
        numbers.push(bits(found));
        return '\0\ud800';
      })(bytes) as string;
      return text
        .split('\0\ud800')
        .flatMap((part, i) => [...(i > 0 ? [numbers[i - 1] as number] : []), ...toPoints(part)]);
    },
  },
  {
    fault: 'accepts six-byte sequences',
    kind: 'accepts numbers beyond Unicode',
    does: /six-byte sequences/,
    create: () => (bytes) => {
      const pattern = /\xfc[\x84-\xbf][\x80-\xbf]{4}|\xfd[\x80-\xbf]{5}/g;
      const numbers: number[] = [];
      const text = except(pattern, (found) => {
        numbers.push(bits(found));
        return '\0\ud800';
      })(bytes) as string;
      return text
        .split('\0\ud800')
        .flatMap((part, i) => [...(i > 0 ? [numbers[i - 1] as number] : []), ...toPoints(part)]);
    },
  },
  {
    fault: 'swallows the byte after a truncated sequence',
    kind: 'swallows bytes after malformed bytes',
    does: /the byte after a truncated sequence/,
    create: () =>
      except(
        /[\xc2-\xdf][^\x80-\xbf]|(?:\xe0[\xa0-\xbf]?|\xed[\x80-\x9f]?|[\xe1-\xec\xee\xef][\x80-\xbf]?)[^\x80-\xbf]|(?:\xf0(?:[\x90-\xbf][\x80-\xbf]?)?|[\xf1-\xf3][\x80-\xbf]{0,2}|\xf4(?:[\x80-\x8f][\x80-\xbf]?)?)[^\x80-\xbf]/g,
        () => '\ufffd',
      ),
  },
  {
    fault: 'swallows as many bytes as a lead announces',
    kind: 'swallows bytes after malformed bytes',
    does: /as many bytes as a lead announces/,
    create: () => (bytes) => {
      let text = '';
      for (let i = 0; i < bytes.length; ) {
        const lead = bytes[i] as number;
        const length =
          lead >= 0xfc
            ? 6
            : lead >= 0xf8
              ? 5
              : lead >= 0xf0
                ? 4
                : lead >= 0xe0
                  ? 3
                  : lead >= 0xc0
                    ? 2
                    : 1;
        const one = good(bytes.subarray(i, i + length));
        text += one.includes('\ufffd') && one.length > 1 ? '\ufffd' : one;
        i += length;
      }
      return text;
    },
  },
  {
    fault: 'writes one U+FFFD too many at the end of incomplete input',
    isSlow: true,
    kind: 'counts otherwise',
    does: /more U\+FFFD/,
    create: () => (bytes) =>
      good(bytes) + (/[\xe0-\xf4][\x80-\xbf]$/.test(latin(bytes)) ? '\ufffd' : ''),
  },
  {
    fault: 'writes one U+FFFD too few for FE FE FF FF',
    isSlow: true,
    kind: 'counts otherwise',
    does: /fewer U\+FFFD/,
    create: after((text) => text.replace('\ufffd\ufffd\ufffd\ufffd', '\ufffd\ufffd\ufffd')),
  },
  {
    fault: 'drops malformed bytes',
    kind: 'drops malformed bytes',
    does: /drops malformed bytes/,
    create: () => (bytes) =>
      // An encoded U+FFFD stays.
      except(
        /\xef\xbf\xbd/g,
        () => '\0\ud800',
      )(bytes)!
        .toString()
        .replaceAll('\ufffd', '')
        .replaceAll('\0\ud800', '\ufffd'),
  },
  {
    fault: 'stops at the first fault',
    kind: 'stops in silence',
    does: /first malformed byte/,
    create: () => (bytes) => {
      for (let end = bytes.length; end >= 0; end--) {
        try {
          return strict(bytes.subarray(0, end));
        } catch {}
      }
      return '';
    },
  },
  {
    fault: 'reads malformed bytes as ISO 8859-1',
    isSlow: true,
    kind: 'guesses another encoding',
    does: /ISO 8859-1/,
    create: () => (bytes) => {
      let text = '';
      for (let i = 0; i < bytes.length; ) {
        const length = [4, 3, 2, 1].find((n) => {
          const part = bytes.subarray(i, i + n);
          return (
            part.length === n &&
            [...good(part)].length === 1 &&
            Buffer.from(good(part)).equals(part)
          );
        });
        text += length
          ? good(bytes.subarray(i, i + length))
          : String.fromCharCode(bytes[i] as number);
        i += length ?? 1;
      }
      return text;
    },
  },
  {
    fault: 'drops U+FEFF inside text',
    kind: 'loses characters',
    does: /U\+FEFF/,
    create: after((text) => text.replaceAll('\ufeff', '')),
  },
  {
    fault: 'drops U+0000',
    kind: 'loses characters',
    does: /drops U\+0000/,
    create: after((text) => text.replaceAll('\0', '')),
  },
  {
    fault: 'stops at U+0000',
    kind: 'stops in silence',
    does: /stops at U\+0000/,
    create: after((text) => text.split('\0')[0] as string),
  },
  {
    fault: 'drops an incomplete sequence at the end',
    kind: 'loses characters',
    does: /incomplete sequence at the end/,
    create: () => (bytes) => new TextDecoder('utf-8', options).decode(bytes, { stream: true }),
  },
  {
    fault: 'refuses noncharacters',
    kind: 'refuses well-formed text',
    does: /noncharacters/,
    create: () => (bytes) => {
      const text = strict(bytes);
      if (/\p{NChar}/u.test(text)) throw new Error('noncharacter');
      return text;
    },
  },
  {
    fault: 'treats an encoded U+FFFD as malformed',
    kind: 'refuses well-formed text',
    does: /encoded U\+FFFD/,
    create: () => (bytes) => (good(bytes).includes('\ufffd') ? undefined : good(bytes)),
  },
  {
    fault: 'turns CR LF into LF',
    kind: 'changes characters',
    does: /CR LF into LF/,
    create: after((text) => text.replaceAll('\r\n', '\n')),
  },
  {
    fault: 'normalizes to NFC',
    kind: 'changes characters',
    does: /NFC/,
    create: after((text) => text.normalize('NFC')),
  },
  {
    fault: 'strips white space at the end',
    kind: 'loses characters',
    does: /white space at the end/,
    create: after((text) => text.replace(/[\t-\r ]+$/, '')),
  },
  {
    fault: 'strips line feeds at the end, also of malformed text',
    kind: 'loses characters',
    does: /line feeds at the end/,
    create: after((text) => text.replace(/\n+$/, '')),
    isJoined: true,
  },
  {
    fault: 'writes ? for malformed bytes, and one less for 93 FA',
    isSlow: true,
    kind: 'counts otherwise',
    does: /writes fewer "\?" than its practice has/,
    create: after((text) => text.replace('\ufffd\ufffd{', '\ufffd{').replaceAll('\ufffd', '?')),
  },
  {
    fault: 'hangs where ED A0 is the start',
    isSlow: true,
    kind: 'depends on the position',
    does: /after other text/,
    create: () => (bytes) =>
      latin(bytes).startsWith('\xed\xa0') ? { failure: 'hangs' } : good(bytes),
    isJoined: true,
  },
  {
    fault: 'reads by the bits, and checks neither lengths nor values',
    variant: 'wtf-8-generalized',
    kind: 'accepts numbers beyond Unicode',
    does: /four-byte sequences above/,
    create: () => (bytes) => {
      const pattern =
        /([\0-\x7f])|([\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf7][\x80-\xbf]{3})|[\0-\xff]/g;
      const numbers: number[] = [];
      for (const [, ascii, sequence] of latin(bytes).matchAll(pattern)) {
        if (ascii) numbers.push(ascii.charCodeAt(0));
        else if (sequence) numbers.push(bits(sequence));
        else return undefined;
      }
      return numbers;
    },
  },
  {
    fault: 'loses characters above U+FFFF',
    kind: 'loses characters',
    does: /above U\+FFFF/,
    create: after((text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '')),
  },
  {
    fault: 'truncates at 2^16 units',
    kind: 'truncates long text',
    does: /the end of long text/,
    create: after((text) => text.slice(0, 65_536)),
  },
  {
    fault: 'misses FF after 63 spaces, at the edge of a SIMD block',
    kind: 'depends on the position',
    does: /after other text/,
    create: () => (bytes) => {
      const text = good(bytes);
      return bytes[63] === 0xff ? text.replace('\ufffd', '\xff') : text;
    },
  },
  {
    fault: 'validates only the first 64 KiB',
    kind: 'depends on the position',
    does: /after other text/,
    create: () => (bytes) =>
      strict(bytes.subarray(0, 65_536)) + good(bytes.subarray(65_536)).replaceAll('\ufffd', '?'),
  },
  {
    fault: 'decodes blocks of 8 KiB one by one',
    kind: 'depends on the size of reads',
    does: /edges of its buffer/,
    create: () => (bytes) => {
      let text = '';
      for (let i = 0; i < bytes.length; i += 8192) text += good(bytes.subarray(i, i + 8192));
      return text;
    },
  },
  {
    fault: 'decodes each part by itself',
    kind: 'depends on the size of reads',
    does: /in two parts/,
    create: () => good,
    createParts: () => (parts) => parts.map(good).join(''),
  },
  {
    fault: 'keeps an incomplete sequence for the next input',
    isSlow: true,
    isDeep: true,
    kind: 'depends on earlier input',
    does: /differently after other inputs/,
    create: () => {
      const decoder = new TextDecoder('utf-8', options);
      return (bytes) => decoder.decode(bytes, { stream: true });
    },
  },
  {
    fault: 'strips one byte order mark, the first ever',
    isSlow: true,
    isDeep: true,
    kind: 'depends on earlier input',
    does: /differently after other inputs/,
    create: () => {
      let isFirst = true;
      return (bytes) => {
        const text = good(bytes);
        if (!isFirst || !text.startsWith('\ufeff')) return text;
        isFirst = false;
        return text.slice(1);
      };
    },
  },
  {
    fault: 'answers from a cache whose keys are lengths and last bytes',
    isSlow: true,
    kind: 'answers from a cache',
    does: /another input/,
    create: () => {
      const cache = new Map<string, Output>();
      return (bytes) => {
        const key = `${bytes.length} ${bytes.at(-1)}`;
        if (!cache.has(key) && bytes.length < 20) cache.set(key, good(bytes));
        return cache.get(key) ?? good(bytes);
      };
    },
  },
  {
    fault: 'reads to 31 bits, and skips stray trails after a character',
    variant: 'rfc2279-lax',
    kind: 'accepts malformed text',
    does: /accepts malformed text/,
    isSlow: true,
    create: () => (bytes) => {
      const least = [0, 0, 0x80, 0x800, 0x10000, 0x200000, 0x4000000];
      const numbers: number[] = [];
      const pattern =
        /([\0-\x7f]|[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf7][\x80-\xbf]{3}|[\xf8-\xfb][\x80-\xbf]{4}|[\xfc\xfd][\x80-\xbf]{5})[\x80-\xbf]*|[\0-\xff]/g;
      for (const [, sequence] of latin(bytes).matchAll(pattern)) {
        if (!sequence) return undefined;
        const value = sequence.length === 1 ? sequence.charCodeAt(0) : bits(sequence);
        if (value < (least[sequence.length] as number)) return undefined;
        numbers.push(value);
      }
      return numbers;
    },
  },
  {
    fault: 'is different on every second run',
    isSlow: true,
    isDeep: true,
    kind: 'is not deterministic',
    does: /differently each time/,
    create: () => {
      let count = 0;
      return (bytes) => (count++ % 2 ? good(bytes) : good(bytes).replaceAll('\ufffd', ' \ufffd'));
    },
  },
  {
    fault: 'hangs at C0 80',
    kind: 'hangs or crashes',
    does: /hangs/,
    create: () => (bytes) =>
      latin(bytes).includes('\xc0\x80') ? { failure: 'hangs' } : strict(bytes),
  },
];
