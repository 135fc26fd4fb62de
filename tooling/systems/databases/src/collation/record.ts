/** Records what collations of MariaDB and MySQL take for equal, for `packages/dump/src/collation`. */
import {
  foldGeneral,
  foldSimple,
  lower,
} from '../../../../../packages/dump/src/collation/simple.js';
import type { MariaDb } from '../mariadb.js';

/** Weights in hex, by text. */
export type Weights = ReadonlyMap<string, string>;

type Fold = (text: string) => string;

const LAST = 0x1_ffff;

/** Sequences of letters that a language may treat as one. */
const LETTERS = [...'abcdefghijklmnopqrstuvwxyzžđåäöæøüß'];
const SEQUENCES = LETTERS.flatMap((a) => LETTERS.map((b) => a + b));

/** A server with all characters in a table. */
export class Weigher {
  readonly #server: MariaDb;

  constructor(server: MariaDb) {
    this.#server = server;
    const rows: string[] = [];
    const add = (text: string): void => {
      rows.push(`(_utf8mb4 X'${Buffer.from(text).toString('hex')}')`);
    };
    for (let code = 1; code <= LAST; code++) {
      if (code < 0xd800 || code > 0xdfff) add(String.fromCodePoint(code));
    }
    SEQUENCES.forEach(add);
    const inserts: string[] = [];
    for (let i = 0; i < rows.length; i += 5000) {
      inserts.push(`INSERT INTO texts (u) VALUES ${rows.slice(i, i + 5000)};`);
    }
    server.demand(
      `CREATE DATABASE weights; USE weights; CREATE TABLE texts (n INT PRIMARY KEY AUTO_INCREMENT,
         u VARCHAR(2) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin); ${inserts.join('\n')}
       CREATE TABLE codes (n INT PRIMARY KEY); INSERT INTO codes VALUES
         ${Array.from({ length: 255 }, (_, i) => `(${i + 1})`)};`,
    );
  }

  /** Lists collations of UTF-8, and of the other character sets. */
  list(): { readonly name: string; readonly charset: string }[] {
    const rows = this.#ask(
      `SELECT COLLATION_NAME, COALESCE(CHARACTER_SET_NAME, 'utf8mb4') FROM information_schema.COLLATIONS`,
    );
    return rows.map(([name = '', charset = '']) => ({ name, charset }));
  }

  /** Weighs all characters, and the sequences if a language is asked for. */
  weigh(collation: string, limit = 2 ** 31): Weights {
    const own = collation.startsWith('uca1400') ? `utf8mb4_${collation}` : collation;
    return this.#weigh(
      `SELECT HEX(u), HEX(WEIGHT_STRING(u COLLATE ${own})) FROM texts WHERE n < ${limit} OR CHAR_LENGTH(u) > 1`,
    );
  }

  /** Weighs the characters of a set of single bytes. */
  weighBytes(collation: string, charset: string): Weights {
    const text = `CHAR(n USING ${charset})`;
    return this.#weigh(
      `SELECT HEX(CONVERT(${text} USING utf8mb4)), HEX(WEIGHT_STRING(${text} COLLATE ${collation})) FROM codes`,
    );
  }

  #weigh(query: string): Weights {
    const weights = new Map<string, string>();
    for (const [hex = '', weight = ''] of this.#ask(query)) {
      const text = Buffer.from(hex, 'hex').toString();
      // Characters that the character set lacks become "?".
      if (!weights.has(text)) weights.set(text, weight);
    }
    return weights;
  }

  #ask(query: string): string[][] {
    const lines = this.#server.demand(query, 'weights').toString().split('\n');
    return lines.filter(Boolean).map((line) => line.split('\t'));
  }
}

const isOne = (text: string): boolean => Array.from(text).length === 1;

function classify(weights: Weights): Map<string, string[]> {
  const classes = new Map<string, string[]>();
  for (const [text, weight] of weights) {
    const list = classes.get(weight);
    if (list) list.push(text);
    else classes.set(weight, [text]);
  }
  return classes;
}

/** Finds the texts whose fold disagrees with the server's comparison. */
export function findExceptions(
  weights: Weights,
  fold: Fold,
  root: Weights | undefined,
  digits: number,
): Map<string, string> {
  const isOwn = (text: string): boolean =>
    root ? root.get(text) !== weights.get(text) : isOne(text);
  const units = new Map<string, string>();
  const used = new Map<string, string>();
  for (const [text, weight] of weights) {
    if (!isOne(text)) continue;
    const folded = fold(text);
    used.set(folded, used.has(folded) && used.get(folded) !== weight ? '' : weight);
    const isUnit = weight.length === digits && !units.has(weight) && isOne(folded);
    if (isUnit && (!root || !isOwn(text))) units.set(weight, folded);
  }
  const found = new Map<string, string>();
  const spell = (text: string): string => Array.from(text, (c) => weights.get(c)).join('');
  for (const [weight, texts] of classify(weights)) {
    const own = texts.filter((text) => (isOne(text) ? isOwn(text) : spell(text) !== weight));
    if (!own.some((text) => isOne(text)) && texts.every((text) => !isOne(text))) continue;
    const folded = new Set(texts.filter(isOne).map(fold));
    const [only] = folded;
    const parts = weight.match(new RegExp(`.{${digits}}`, 'g')) ?? [];
    let to: string | undefined;
    if (parts.every((unit) => units.has(unit))) to = parts.map((unit) => units.get(unit)).join('');
    // Nothing else has that fold.
    else if (folded.size === 1 && used.get(only as string) === weight) to = only;
    else if (root) {
      const small = texts.filter(isOne).map((text) => text.toLowerCase());
      // Best is what no other class has, as ı for I in Turkish.
      to = small.sort().find((text) => (used.get(text) ?? weight) === weight) ?? small[0];
    } else to = folded.size > 1 ? [...folded].filter(Boolean).sort(byLength)[0] : only;
    for (const text of own) if (to !== undefined && fold(text) !== to) found.set(text, to);
  }
  return found;
}

const byLength = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : 1);

/** Writes exceptions as lines. */
export function pack(exceptions: ReadonlyMap<string, string>, separator = ''): string {
  const lines = new Map<string, string[]>();
  const isControl = (to: string): boolean => /\p{Cc}/u.test(to);
  for (const [text, to] of exceptions)
    if (!isControl(to)) lines.set(to, [...(lines.get(to) ?? []), text]);
  return [...lines].map(([to, texts]) => `${to}\t${texts.join(separator)}`).join('\n');
}

const isBmp = (text: string): boolean => (text.codePointAt(0) as number) < 0x10000;
const keep = (weights: Weights, test: (text: string) => boolean): Weights =>
  new Map([...weights].filter(([text]) => test(text)));

/** Characters that the roots of all languages ignore or treat as equal. */
export interface Roots {
  readonly weights: Readonly<Record<'400' | '520' | '1400' | 'general', Weights>>;
  readonly ignorable: ReadonlySet<string>;
  readonly exceptions: Readonly<Record<'400' | '1400' | 'general', ReadonlyMap<string, string>>>;
}

export function recordRoots(weigher: Weigher): Roots {
  const narrow = keep(weigher.weigh('utf8mb4_unicode_ci'), isBmp);
  const weights = {
    '400': narrow,
    '520': weigher.weigh('utf8mb4_unicode_520_ci'),
    '1400': weigher.weigh('uca1400_ai_ci'),
    general: keep(weigher.weigh('utf8mb4_general_ci'), (text) => isBmp(text) && isOne(text)),
  };
  const ignorable = new Set<string>();
  for (const each of Object.values(weights)) {
    for (const [text, weight] of each) if (weight === '') ignorable.add(text);
  }
  const simple: Fold = (text) =>
    Array.from(text, (c) => foldSimple(c, (each) => ignorable.has(each))).join('');
  const ofUca = keep(weights['1400'], isOne);
  return {
    weights,
    ignorable,
    exceptions: {
      '400': findExceptions(keep(narrow, isOne), simple, undefined, 4),
      '1400': findExceptions(ofUca, simple, undefined, 4),
      general: findExceptions(weights.general, foldGeneral, undefined, 4),
    },
  };
}

/** Makes the fold of a root. */
export function foldRoot({ ignorable, exceptions }: Roots, version: '400' | '1400'): Fold {
  const own = exceptions[version];
  return (text) =>
    Array.from(text, (c) => {
      const simple = foldSimple(c, (each) => ignorable.has(each));
      return own.get(c) ?? Array.from(simple, (part) => own.get(part) ?? part).join('');
    }).join('');
}

/** Packs the characters that are ignored, as ranges in base 36. */
export function packIgnorable({ ignorable }: Roots): string {
  const ranges: [number, number][] = [];
  const codes = [...ignorable].map((c) => c.codePointAt(0) as number).sort((a, b) => a - b);
  for (const code of codes) {
    const last = ranges.at(-1);
    if (last?.[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return ranges
    .map(([first, last]) =>
      [first, ...(last > first ? [last] : [])].map((n) => n.toString(36)).join('-'),
    )
    .join(' ');
}

/** Texts up to this number of the table have the letters of all languages with a collation. */
export const LETTERS_END = 0x3000;

/** Records a language, against the root of the same version. */
export function recordLanguage(
  weigher: Weigher,
  collation: string,
  root: Weights,
  fold: Fold,
): string {
  const weights = weigher.weigh(collation, LETTERS_END);
  return pack(findExceptions(weights, fold, root, 4), ' ');
}

/** Records a collation of single bytes. */
export const recordBytes = (weigher: Weigher, collation: string, charset: string): string =>
  pack(
    findExceptions(
      weigher.weighBytes(collation, charset),
      collation.endsWith('_cs') ? (text) => text : lower,
      undefined,
      2,
    ),
  );

/** Finds texts that are equal on the server but have different folds. */
export function findMissed(weights: Weights, fold: Fold): string[] {
  return [...classify(weights).values()].flatMap((texts) => {
    const [first = ''] = texts;
    return texts.flatMap((text) =>
      // Controls are in no key.
      fold(text) === fold(first) || /\p{Cc}/u.test(first + text) ? [] : [`${first} ${text}`],
    );
  });
}

/** Counts pairs of letters of Latin, Greek and Cyrillic of which the folds are equal, and which the server tells apart. */
export function countOthers(weights: Weights, fold: Fold): number {
  const seen = new Map<string, Set<string>>();
  for (const [text, weight] of weights) {
    if (!isOne(text) || text < 'A' || text > '\u04ff' || !/\p{L}/u.test(text)) continue;
    const folded = fold(text);
    seen.set(folded, (seen.get(folded) ?? new Set()).add(weight));
  }
  return [...seen.values()].reduce((sum, { size }) => sum + size - 1, 0);
}

/** Writes a module of recorded values. */
export function formatModule(
  comment: string,
  values: Readonly<Record<string, string | Readonly<Record<string, string>>>>,
): string {
  const spell = (value: string): string =>
    JSON.stringify(value).replace(
      /[^ -~\p{L}\p{N}\p{S}\p{P}]/gu,
      (c) => `\\u{${(c.codePointAt(0) as number).toString(16)}}`,
    );
  const lines = Object.entries(values).map(([name, value]) =>
    typeof value === 'string'
      ? `export const ${name}: string = ${spell(value)};`
      : `export const ${name}: Readonly<Record<string, string>> = {\n${Object.entries(value)
          .map(([key, each]) => `  ${key}: ${spell(each)},`)
          .join('\n')}\n};`,
  );
  return `// biome-ignore-all format: generated\n/** ${comment} */\n${lines.join('\n')}\n`;
}
