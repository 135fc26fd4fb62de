/** Texts to measure on, by kind: the same on every run, and many distinct ones of each. */
import { randomNumbers } from './random.mjs';

const WORDS = {
  ascii:
    'the of and to in is that for it was on are as with his they at be this have from or by one had not but what all were when we there can an your which their said if do will each about',
  latin1:
    'größer schön für müssen Mädchen natürlich zurück während heißt später über Straße das und ist nicht été déjà français élève où à être garçon naïve Noël leçon forêt les une dans pour',
  cyrillic:
    'и в не на я быть он с что а по это она этот к но они мы весь который из у то за свой ваш год время человек дело жизнь день рука работа слово место лицо друг вопрос сторона страна',
  cjk: '的一是在不了有和人这中大为上个国，我以要他时来用们生到作地于出就分。对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经',
  hangul:
    '하한해호 가나다라 마바사아 자차카타 파의이를 은는에서 로고도기 지시인일 정대수국 학생활 환경 사람들이 그리고 말했다 우리는 오늘',
};

/** @typedef {() => number} Random */

/** @param {readonly string[]} list @param {Random} random */
const pick = (list, random) => /** @type {string} */ (list[Math.floor(random() * list.length)]);

const lists = Object.fromEntries(
  Object.entries(WORDS).map(([kind, words]) => [
    kind,
    kind === 'cjk' ? [...words] : words.split(' ').map((word) => `${word} `),
  ]),
);

/** @param {string} kind */
const words = (kind) => (/** @type {Random} */ random) => pick(lists[kind] ?? [], random);

/** @param {string} kind @param {number} count @param {Random} random */
const sentence = (kind, count, random) =>
  Array.from({ length: count }, () => words(kind)(random))
    .join('')
    .trim();

/** @param {Random} random */
const smiley = (random) => String.fromCodePoint(0x1f600 + Math.floor(random() * 0x50));

/** A piece of text in which so many of a hundred characters lie beyond U+FFFF. @param {number} share */
const emoji = (share) => (/** @type {Random} */ random) =>
  Array.from(words('ascii')(random), (letter) => (random() < share ? smiley(random) : letter)).join(
    '',
  );

const LANGUAGES = ['ascii', 'ascii', 'ascii', 'latin1', 'cjk', 'cyrillic'];

/** Creates a short message: mostly ASCII, in several languages, now and then with an emoji at its end. */
const post = (/** @type {Random} */ random) => {
  const kind = pick(LANGUAGES, random);
  const text = sentence(kind, kind === 'cjk' ? 24 : 12, random);
  return random() < 0.15 ? `${text} ${smiley(random)}` : text;
};

/** @type {Record<string, (random: Random) => string>} */
const pieces = {
  ascii: words('ascii'),
  latin1: words('latin1'),
  cyrillic: words('cyrillic'),
  cjk: words('cjk'),
  hangul: words('hangul'),
  'emoji 10 %': emoji(0.1),
  'emoji 50 %': emoji(0.5),
  dump: (random) =>
    `INSERT INTO posts (id, author, body) VALUES (${Math.floor(random() * 1e6)}, 'user${Math.floor(random() * 97)}', '${post(random)}');\n`,
  json: (random) =>
    `{"id":${Math.floor(random() * 1e6)},"name":"${sentence(pick(LANGUAGES, random), 2, random)}","tags":["${words('ascii')(random).trim()}","new"],"score":${random().toFixed(3)},"text":"${post(random)}"},\n`,
};

export const CORPORA = Object.keys(pieces);

/** Returns the name of a corpus on the command line. @param {string} corpus */
export const corpusWord = (corpus) => corpus.replaceAll(/[ %]/g, '');

/** A long stretch of a corpus in UTF-8, from which texts are cut. @param {string} corpus @param {number} bytes */
function makePool(corpus, bytes) {
  const random = randomNumbers(CORPORA.indexOf(corpus) + 1);
  const piece = pieces[corpus];
  if (!piece) throw new Error(`there is no corpus ${corpus}`);
  const list = [];
  // A piece has fewer units than bytes, so this is enough.
  for (let units = 0; units < bytes; ) {
    const text = piece(random);
    units += text.length;
    list.push(text);
  }
  return new TextEncoder().encode(list.join(''));
}

/** @type {Map<string, Uint8Array>} */
const pools = new Map();

/**
 * Distinct texts of a corpus, of at most so many bytes of UTF-8, and at most three less.
 *
 * They are cut out of one pool, as flat strings: one that was added up would be flattened by
 * whichever contestant comes first.
 *
 * @param {string} corpus
 * @param {number} bytes
 * @param {number} count
 * @returns {string[]}
 */
export function makeTexts(corpus, bytes, count) {
  const wanted = Math.max(2 * bytes, 256 * 1024);
  let pool = pools.get(corpus);
  if (!pool || pool.length < wanted) {
    pool = makePool(corpus, wanted);
    pools.set(corpus, pool);
  }
  const random = randomNumbers(bytes);
  const end = pool.length - bytes - 4;
  return Array.from({ length: count }, () => cut(pool, Math.floor(random() * end), bytes));
}

/** @param {Uint8Array} pool @param {number} start @param {number} bytes */
function cut(pool, start, bytes) {
  let from = start;
  while (isTrail(pool[from])) from++;
  let to = from + bytes;
  while (isTrail(pool[to])) to--;
  return makeText(pool.subarray(from, to));
}

/** @param {number | undefined} byte */
const isTrail = (byte) => byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;

/**
 * The text of well-formed UTF-8, flat, and of one byte per unit where the engine has such strings.
 * Strings from some versions of `TextDecoder` have two, which would change the work of `encode`.
 *
 * @param {Uint8Array} bytes
 */
function makeText(bytes) {
  const units = new Uint16Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i++] ?? 0;
    const trail = () => (bytes[i++] ?? 0) & 63;
    if (lead < 0x80) units[length++] = lead;
    else if (lead < 0xe0) units[length++] = ((lead & 31) << 6) | trail();
    else if (lead < 0xf0) units[length++] = ((lead & 15) << 12) | (trail() << 6) | trail();
    else {
      const point = ((lead & 7) << 18) | (trail() << 12) | (trail() << 6) | trail();
      units[length++] = 0xd7c0 + (point >> 10);
      units[length++] = 0xdc00 + (point & 0x3ff);
    }
  }
  const parts = [];
  for (let i = 0; i < length; i += 4096) {
    parts.push(String.fromCharCode(...units.subarray(i, Math.min(i + 4096, length))));
  }
  return parts.join('');
}
