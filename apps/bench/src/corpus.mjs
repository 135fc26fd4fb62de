/** Texts to measure on, by kind: the same for every run, and several of each, since one repeated input flatters branch predictors. */

const LATIN = 'größer schön für müssen Mädchen natürlich zurück während heißt später über Straße';
const WORDS = {
  ascii: 'the of and to in is that for it was on are as with his they at be this have from',
  latin1: LATIN,
  cyrillic: 'и в не на я быть он с что а по это она этот к но они мы весь который из у то за',
  cjk: '的一是在 不了有和 人这中大 为上个国 我以要他 时来用们 生到作地 于出就分',
  hangul: '하한해호 가나다라 마바사아 자차카타 파의이를 은는에서 로고도기 지시인일',
};

/** A linear congruential generator: the numbers of Numerical Recipes, so that runs can be compared. */
function* randomNumbers(seed) {
  for (let state = seed >>> 0; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

function* words(kind, random) {
  const list = WORDS[kind].split(' ');
  for (;;) yield `${list[Math.floor(random() * list.length)]} `;
}

function* emoji(share, random) {
  const text = words('ascii', random);
  for (;;) {
    if (random() < share) yield String.fromCodePoint(0x1f600 + Math.floor(random() * 0x50));
    // A word has some five letters, so that the share is one of characters.
    else if (random() < 0.2) yield text.next().value;
  }
}

function* dump(random) {
  const sources = ['ascii', 'ascii', 'latin1', 'cjk', 'cyrillic'].map((kind) =>
    words(kind, random),
  );
  for (let id = 1; ; id++) {
    const source = sources[Math.floor(random() * sources.length)];
    const body = Array.from({ length: 12 }, () => source.next().value)
      .join('')
      .trim();
    const tail = random() < 0.15 ? ' \u{1f600}' : '';
    yield `INSERT INTO posts (id, author, body) VALUES (${id}, 'user${id % 97}', '${body}${tail}');\n`;
  }
}

const kinds = {
  ascii: (random) => words('ascii', random),
  latin1: (random) => words('latin1', random),
  cyrillic: (random) => words('cyrillic', random),
  cjk: (random) => words('cjk', random),
  hangul: (random) => words('hangul', random),
  'emoji 10 %': (random) => emoji(0.1, random),
  'emoji 50 %': (random) => emoji(0.5, random),
  dump: (random) => dump(random),
};

export const KINDS = Object.keys(kinds);

/** A text of a kind, of about so many bytes of UTF-8 and not more. */
export function makeText(kind, bytes, seed) {
  const numbers = randomNumbers(seed);
  let text = '';
  for (const piece of kinds[kind](() => numbers.next().value)) {
    text += piece;
    if (text.length >= bytes) break;
  }
  const encoded = Buffer.from(text);
  let end = Math.min(bytes, encoded.length);
  while (end < encoded.length && (encoded[end] & 0b1100_0000) === 0x80) end--;
  return encoded.toString('utf8', 0, end);
}
