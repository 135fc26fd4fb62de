/** The docstrings of a codec's functions, with examples in the bytes of its own grammar. */
import { encodeByRows } from '../grammar/arithmetic.js';
import type { Grammar } from '../grammar/grammar.js';

/** What docstrings are written for. */
export interface Subject {
  /** The codec's name. */
  readonly name: string;
  /** What users import it from; undefined if they cannot. */
  readonly specifier: string | undefined;
  readonly grammar: Grammar;
  /** The docstring of the grammar, as a comment. */
  readonly description: string;
}

/** A docstring without its stars, and the statements of its example. */
interface Page {
  readonly lines: readonly string[];
  readonly example: readonly string[];
}

const hex = (byte: number): string => `0x${byte.toString(16).padStart(2, '0')}`;

/**
 * Writes the docstring of each member of a codec.
 *
 * @returns Comments by the name of the member.
 */
export function writeDocumentation(subject: Subject): ReadonlyMap<string, string> {
  const { specifier } = subject;
  return new Map(
    Object.entries(writePages(subject)).map(([member, { lines, example }]) => [
      member,
      [
        '/**',
        ...[
          ...lines,
          ...(specifier
            ? [
                '@example',
                '```ts',
                `import { ${member} } from '${specifier}';`,
                '',
                ...example,
                '```',
              ]
            : []),
          // TypeDoc treats a constant as a class or function only with a tag.
          /^[A-Z]/.test(member) ? '@class' : '@function',
        ].map((line) => (line ? ` * ${line}` : ' *')),
        ' */',
      ].join('\n'),
    ]),
  );
}

const bytesParameter = '@param bytes - Any buffer, or any view of one.';
const typeError = '@throws TypeError if an argument is of the wrong type.';
const maximalSubparts = '@see Unicode 16.0, section 3.9, D93b, "maximal subpart"';

function writePages({ name, grammar }: Subject): Record<string, Page> {
  const spell = (text: string): number[] =>
    Array.from(text).flatMap((character) => spellCharacter(grammar, character));
  const list = (bytes: readonly number[]): string => bytes.map(hex).join(', ');
  const array = (bytes: readonly number[]): string => `Uint8Array.of(${list(bytes)})`;
  // The character with the longest form that every variant with such characters has.
  const far = spell('😀').length > 0 ? '😀' : '€';
  const units = far.length;
  const text = `a${far}`;
  const { length } = spell(text);
  const short = length - 1;
  const decodeErrors = [
    '@throws DecodeError at the first fault under `strict`, the default.',
    '@throws RangeError if the text is longer than a string can be; `Decoder` returns it in pieces.',
    typeError,
  ];
  const encodeStream = (stream: string): string[] => [
    `const stream = new ${stream}();`,
    'const writer = stream.writable.getWriter();',
    `void writer.write('${far}').then(() => writer.close());`,
    `new Uint8Array(await new Response(stream.readable).arrayBuffer()); // => ${array(spell(far))}`,
  ];
  return {
    decode: {
      lines: [
        `Decodes ${name} bytes to a string.`,
        '',
        bytesParameter,
        '@param options - `errors`: what to do about faults; `bom`: `strip` drops a byte order mark.',
        '@returns The text.',
        ...decodeErrors,
        maximalSubparts,
      ],
      example: [
        `decode(${array(spell(far))}); // => '${far}'`,
        "decode(Uint8Array.of(0x41, 0xff), { errors: 'replace' }); // => 'A\\ufffd'",
      ],
    },
    encode: {
      lines: [
        `Encodes a string as ${name}.`,
        '',
        '@param text - Any string.',
        '@param options - `errors`: what to do about characters that the encoding lacks.',
        '@returns A new `Uint8Array`.',
        '@throws EncodeError under `strict`, the default, at the first code point that the encoding does',
        '  not contain.',
        '@throws RangeError if the result is larger than the platform can allocate.',
        typeError,
      ],
      example: [`encode('${far}'); // => ${array(spell(far))}`],
    },
    encodeInto: {
      lines: [
        `Encodes as much of a string as fits into a target: whole characters of ${name} only.`,
        '',
        '@param text - Any string.',
        '@param target - Where to write, from its start.',
        '@param options - `errors`: what to do about characters that the encoding lacks.',
        '@returns How many UTF-16 code units were read, and how many bytes written.',
        '@throws EncodeError as `encode` does; the text before that code point is written.',
        typeError,
      ],
      example: [`encodeInto('${text}', new Uint8Array(${short})); // => { read: 1, written: 1 }`],
    },
    isValid: {
      lines: [
        `Tells whether bytes are well-formed ${name} from beginning to end.`,
        '',
        bytesParameter,
        '@returns True if there is no fault.',
        '@throws TypeError if the argument is neither a buffer nor a view of one.',
      ],
      example: [
        `isValid(${array(spell(text))}); // => true`,
        'isValid(Uint8Array.of(0x41, 0xff)); // => false',
      ],
    },
    findFault: {
      lines: [
        `Finds the first fault of ${name} at or after an index.`,
        '',
        bytesParameter,
        '@param from - Where to begin, in bytes: a boundary. 0 by default.',
        '@returns The fault, its offset in bytes from the start of the input; undefined if there is none.',
        '@throws RangeError if `from` is not an index into the bytes.',
        typeError,
        maximalSubparts,
      ],
      example: [
        'findFault(Uint8Array.of(0x41, 0xff));',
        "// => { offset: 1, length: 1, reason: 'invalid-lead', incomplete: false }",
      ],
    },
    faults: {
      lines: [
        `Finds every fault of ${name}, in order, while the caller iterates.`,
        '',
        bytesParameter,
        '@returns Faults, with offsets in bytes from the start of the input.',
        '@throws TypeError if the argument is neither a buffer nor a view of one.',
        maximalSubparts,
      ],
      example: [
        'Array.from(faults(Uint8Array.of(0xff, 0x41, 0xfe)), ({ offset }) => offset); // => [0, 2]',
      ],
    },
    byteLength: {
      lines: [
        'Counts the bytes that `encode` would write, without storing them.',
        '',
        '@param text - Any string.',
        '@param options - Those of `encode`.',
        '@returns A number of bytes.',
        '@throws EncodeError as `encode` does.',
        typeError,
      ],
      example: [`byteLength('${text}'); // => ${length}`],
    },
    decodedLength: {
      lines: [
        'Counts the UTF-16 code units of what `decode` would return, without creating it.',
        '',
        bytesParameter,
        '@param options - Those of `decode`.',
        '@returns A number of UTF-16 code units.',
        '@throws DecodeError at the first fault under `strict`, the default.',
        typeError,
      ],
      example: [`decodedLength(${array(spell(far))}); // => ${units}`],
    },
    decodeCodePoints: {
      lines: [
        `Decodes ${name} bytes to code points, also above U+10FFFF if the encoding has those.`,
        '',
        bytesParameter,
        '@param options - Those of `decode`.',
        '@returns A new `Uint32Array`.',
        '@throws DecodeError at the first fault under `strict`, the default.',
        typeError,
      ],
      example: [
        `decodeCodePoints(${array(spell(far))}); // => Uint32Array.of(${hex(far.codePointAt(0) as number)})`,
      ],
    },
    encodeCodePoints: {
      lines: [
        `Encodes code points as ${name}.`,
        '',
        '@param codePoints - Any iterable of numbers.',
        '@returns A new `Uint8Array`.',
        '@throws EncodeError at a number that the encoding does not contain; its offset is an index of the',
        '  numbers.',
        '@throws TypeError if the argument is not iterable.',
      ],
      example: [`encodeCodePoints([0x41, 0xe9]); // => ${array(spell('Aé'))}`],
    },
    countCodePoints: {
      lines: [
        `Counts the characters of ${name} bytes; a fault counts as one.`,
        '',
        bytesParameter,
        '@returns A number of characters.',
        '@throws TypeError if the argument is neither a buffer nor a view of one.',
      ],
      example: [`countCodePoints(${array(spell(text))}); // => 2`],
    },
    floorBoundary: {
      lines: [
        'Finds the greatest character boundary that is not above an index.',
        '',
        bytesParameter,
        '@param index - In bytes. Below 0 it counts as 0, beyond the end as the end.',
        '@returns An index in bytes.',
        typeError,
      ],
      example: [`floorBoundary(${array(spell(text))}, ${short}); // => 1`],
    },
    ceilBoundary: {
      lines: [
        'Finds the least character boundary that is not below an index.',
        '',
        bytesParameter,
        '@param index - In bytes. Below 0 it counts as 0, beyond the end as the end.',
        '@returns An index in bytes.',
        typeError,
      ],
      example: [`ceilBoundary(${array(spell(`${text}b`))}, ${short}); // => ${length}`],
    },
    truncate: {
      lines: [
        `Shortens ${name} bytes to whole characters.`,
        '',
        '@param bytes - Any `Uint8Array`.',
        '@param maxBytes - The maximum length of the result, in bytes.',
        '@returns A view of the same memory.',
        typeError,
      ],
      example: [`truncate(${array(spell(text))}, ${short}).length; // => 1`],
    },
    compare: {
      lines: [
        'Compares two byte strings by code points or by UTF-16 code units, not by bytes. A fault counts as U+FFFD.',
        '',
        '@param a - Any buffer, or any view of one.',
        '@param b - Any buffer, or any view of one.',
        '@param order - `code points`, the default; `code units` is the order of `<` for strings, and of DEX files:',
        '  U+FF21 follows U+1F600.',
        '@returns -1, 0 or 1.',
        typeError,
      ],
      example: [`compare(${array(spell('A'))}, ${array(spell(far))}); // => -1`],
    },
    Decoder: {
      lines: [
        `Decodes ${name} chunk by chunk. Strict by default, as \`decode\` is.`,
        '',
        'The constructor accepts the options of `decode`. A sequence cut by the end of a chunk continues in the',
        'next one.',
        '',
      ],
      example: [
        'const decoder = new Decoder();',
        `let text = decoder.decode(${array(spell(far).slice(0, 1))}, { stream: true });`,
        `text += decoder.decode(${array(spell(far).slice(1))});`,
        `text; // => '${far}'`,
      ],
    },
    Encoder: {
      lines: [
        `Encodes ${name} chunk by chunk. Strict by default, as \`encode\` is.`,
        '',
        'The constructor accepts the options of `encode`. A high surrogate at the end of a chunk is kept for the',
        'next one.',
        '',
      ],
      example: [
        "const encoder = new Encoder({ errors: 'replace' });",
        "encoder.encode('\\ud83d', { stream: true }).length; // => 0",
        `encoder.encode('\\ude00'); // => ${array(spell('😀').length > 0 ? spell('😀') : spell('\ufffd'))}`,
      ],
    },
    DecoderStream: {
      lines: [
        `Decodes ${name} as a web stream. A fault ends it with a \`DecodeError\`.`,
        '',
        'The constructor accepts the options of `decode`.',
        '',
      ],
      example: [
        `const stream = new Blob([${array(spell(far))}]).stream().pipeThrough(new DecoderStream());`,
        "let text = '';",
        'for await (const chunk of stream) text += chunk;',
        `text; // => '${far}'`,
      ],
    },
    EncoderStream: {
      lines: [
        `Encodes ${name} as a web stream. Characters that the encoding lacks end it with an \`EncodeError\`.`,
        '',
        'The constructor accepts the options of `encode`.',
        '',
      ],
      example: encodeStream('EncoderStream'),
    },
    TextDecoder: {
      lines: [
        `Decodes ${name} as a drop-in replacement of the platform's \`TextDecoder\`.`,
        '',
        'The constructor accepts a label of this codec, and the options `fatal` and `ignoreBOM`. Another label is',
        'a `RangeError`. By default, each fault is decoded to U+FFFD, and a byte order mark is dropped.',
        '',
        '@see https://encoding.spec.whatwg.org/#interface-textdecoder',
      ],
      example: [
        `new TextDecoder().decode(${array([...spell(far), 0xff])}); // => '${far}\\ufffd'`,
        `new TextDecoder('${name.toLowerCase()}', { fatal: true }).fatal; // => true`,
      ],
    },
    TextEncoder: {
      lines: [
        `Encodes ${name} as a drop-in replacement of the platform's \`TextEncoder\`.`,
        '',
        'Characters that the encoding lacks are encoded as U+FFFD.',
        '',
        '@see https://encoding.spec.whatwg.org/#interface-textencoder',
      ],
      example: [
        `new TextEncoder().encode('${far}'); // => ${array(spell(far))}`,
        `new TextEncoder().encodeInto('${text}', new Uint8Array(${short})); // => { read: 1, written: 1 }`,
      ],
    },
    TextDecoderStream: {
      lines: [
        `Decodes ${name} as a drop-in replacement of the platform's \`TextDecoderStream\`.`,
        '',
        'The constructor accepts the same arguments as that of `TextDecoder`.',
        '',
        '@see https://encoding.spec.whatwg.org/#interface-textdecoderstream',
      ],
      example: [
        `const bytes = new Blob([${array([...spell(far), 0xff])}]).stream();`,
        "let text = '';",
        'for await (const chunk of bytes.pipeThrough(new TextDecoderStream())) text += chunk;',
        `text; // => '${far}\\ufffd'`,
      ],
    },
    TextEncoderStream: {
      lines: [
        `Encodes ${name} as a drop-in replacement of the platform's \`TextEncoderStream\`.`,
        '',
        'Chunks are converted to strings. Characters that the encoding lacks are encoded as U+FFFD.',
        '',
        '@see https://encoding.spec.whatwg.org/#interface-textencoderstream',
      ],
      example: encodeStream('TextEncoderStream'),
    },
  };
}

/** Spells a character, as a pair of surrogates if no row spells it whole. */
function spellCharacter(grammar: Grammar, character: string): number[] {
  const whole = encodeByRows(grammar, character.codePointAt(0) as number);
  if (whole) return whole;
  return [character.charCodeAt(0), character.charCodeAt(1)].flatMap(
    (unit) => encodeByRows(grammar, unit) ?? [],
  );
}
