/** Texts at the edges of what Java's strings can be. */

export const edges: readonly string[] = [
  '',
  'a',
  'é',
  '中',
  '😀',
  '\0',
  'a\0b',
  '\0\0',
  '\ud800',
  '\udbff',
  '\udc00',
  '\udfff',
  'a\ud83d',
  '\ude00a',
  '\ude00\ud83d',
  '\ud83d\ud83d\ude00\ude00',
  '😀😀',
  '\ufeff',
  '\ufeffa',
  'a\ufeff',
  '\ufffe\uffff\ufffd',
  '\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\u{10000}\u{10ffff}',
  'plain ASCII, of which there is much',
];

/** Characters of each size, lone surrogates and U+0000. */
export const characters: readonly string[] = [
  'a',
  '\0',
  'é',
  '中',
  '😀',
  '\ud83d',
  '\ude00',
  '\ufeff',
];

/** Texts of exactly so many code units: all of one kind, and of one kind with another at the end. */
export function* textsOfLength(length: number): Generator<string> {
  for (const character of ['a', '\0', 'é', '中']) {
    yield character.repeat(length);
    yield `${character.repeat(length - 1)}\ud83d`;
  }
  yield `${'😀'.repeat((length - (length % 2)) / 2)}${length % 2 ? 'a' : ''}`;
  yield `${length % 2 ? '' : 'a'}${'😀'.repeat((length - 1 + (length % 2) - 1) / 2)}${'a'}`.slice(
    0,
    length,
  );
}
