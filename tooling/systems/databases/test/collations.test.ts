/** Texts that the collations of a real MariaDB treat as equal, recorded, and compared with all folds of dumps. */
import { afterAll, expect, it } from 'vitest';
import { findFold } from '../../../../packages/dump/src/collation/fold.js';
import {
  countOthers,
  findMissed,
  foldRoot,
  formatModule,
  LETTERS_END,
  pack,
  packIgnorable,
  recordBytes,
  recordLanguage,
  recordRoots,
  Weigher,
} from '../src/collation/record.js';
import { MariaDb } from '../src/mariadb.js';

const mariadb = await MariaDb.start();
afterAll(() => mariadb.stop());
const weigher = new Weigher(mariadb);
const all = weigher.list();

it('the recorded tables are those of the server', async () => {
  const roots = recordRoots(weigher);
  const { weights, exceptions } = roots;
  const languages: Record<string, string> = {};
  const languages400: Record<string, string> = {};
  const bytes: Record<string, string> = {};
  const [fold, fold400] = [foldRoot(roots, '1400'), foldRoot(roots, '400')];
  for (const { name, charset } of all) {
    const of1400 = /^uca1400_(\w+?)_ai_ci$/.exec(name)?.[1];
    const of400 = /^utf8mb4_(\w+)_ci$/.exec(name)?.[1];
    if (name.includes('nopad')) continue;
    if (of1400) languages[of1400] = recordLanguage(weigher, name, weights['1400'], fold);
    else if (of400 === 'myanmar') {
      languages[of400] = recordLanguage(weigher, name, weights['520'], fold);
    } else if (of400 && !/general|unicode|mysql/.test(of400)) {
      languages400[of400] = recordLanguage(weigher, name, weights['400'], fold400);
    } else if (SINGLE.test(charset) && !name.endsWith('_bin')) {
      bytes[name] = recordBytes(weigher, name, charset);
    }
  }
  const comment =
    'Characters that MariaDB treats as equal, written by `UTF8_TIER=ci npm test -- tooling/systems/databases/test/collations.test.ts -u`.';
  await expect(
    formatModule(comment, {
      ignorable: packIgnorable(roots),
      uca: pack(exceptions['1400']),
      uca400: pack(exceptions['400']),
      general: pack(exceptions.general),
      languages,
      languages400,
      bytes,
    }),
  ).toMatchFileSnapshot('../../../../packages/dump/src/collation/recorded.ts');
});

it('texts that are equal in any collation of the server have the same fold', () => {
  const missed: string[] = [];
  const others: string[] = [];
  for (const { name, charset } of all) {
    const isUnicode = charset === 'utf8mb4';
    if (name.includes('nopad') || !(isUnicode || SINGLE.test(charset))) continue;
    // Accents and case are those of the root.
    if (/^uca1400_[^a]\w+_(as_|ai_cs)/.test(name)) continue;
    const fold = findFold(name) ?? ((text: string) => text);
    const weights = isUnicode
      ? weigher.weigh(name, /unicode|general|^uca1400_a/.test(name) ? undefined : LETTERS_END)
      : weigher.weighBytes(name, charset);
    missed.push(...findMissed(weights, fold).map((pair) => `${name}: ${pair}`));
    const count = countOthers(weights, fold);
    if (count > 0) others.push(`${name} ${count}`);
  }
  expect(missed).toEqual([]);
  expect(others).toMatchInlineSnapshot(`
    [
      "dec8_swedish_ci 1",
      "cp850_general_ci 1",
      "hp8_english_ci 32",
      "latin1_german1_ci 4",
      "latin1_swedish_ci 4",
      "latin1_danish_ci 4",
      "latin1_german2_ci 3",
      "latin1_general_ci 4",
      "latin1_spanish_ci 3",
      "latin2_hungarian_ci 2",
      "latin5_turkish_ci 1",
      "cp866_general_ci 1",
      "keybcs2_general_ci 1",
      "macroman_general_ci 1",
      "latin7_general_ci 3",
      "utf8mb4_general_ci 37",
      "utf8mb4_unicode_ci 45",
      "utf8mb4_icelandic_ci 45",
      "utf8mb4_latvian_ci 46",
      "utf8mb4_romanian_ci 45",
      "utf8mb4_slovenian_ci 45",
      "utf8mb4_polish_ci 45",
      "utf8mb4_estonian_ci 46",
      "utf8mb4_spanish_ci 45",
      "utf8mb4_swedish_ci 45",
      "utf8mb4_turkish_ci 44",
      "utf8mb4_czech_ci 45",
      "utf8mb4_danish_ci 45",
      "utf8mb4_lithuanian_ci 45",
      "utf8mb4_slovak_ci 45",
      "utf8mb4_spanish2_ci 45",
      "utf8mb4_roman_ci 45",
      "utf8mb4_persian_ci 45",
      "utf8mb4_esperanto_ci 45",
      "utf8mb4_hungarian_ci 45",
      "utf8mb4_sinhala_ci 45",
      "utf8mb4_german2_ci 45",
      "utf8mb4_croatian_mysql561_ci 45",
      "utf8mb4_unicode_520_ci 22",
      "utf8mb4_vietnamese_ci 45",
      "utf8mb4_croatian_ci 45",
      "utf8mb4_myanmar_ci 22",
      "utf8mb4_thai_520_w2 175",
      "uca1400_ai_ci 2",
      "uca1400_ai_cs 371",
      "uca1400_as_ci 71",
      "uca1400_as_cs 344",
      "uca1400_icelandic_ai_ci 2",
      "uca1400_latvian_ai_ci 3",
      "uca1400_romanian_ai_ci 2",
      "uca1400_slovenian_ai_ci 2",
      "uca1400_polish_ai_ci 2",
      "uca1400_estonian_ai_ci 3",
      "uca1400_spanish_ai_ci 2",
      "uca1400_swedish_ai_ci 2",
      "uca1400_turkish_ai_ci 1",
      "uca1400_czech_ai_ci 2",
      "uca1400_danish_ai_ci 2",
      "uca1400_lithuanian_ai_ci 2",
      "uca1400_slovak_ai_ci 2",
      "uca1400_spanish2_ai_ci 2",
      "uca1400_roman_ai_ci 2",
      "uca1400_persian_ai_ci 2",
      "uca1400_esperanto_ai_ci 2",
      "uca1400_hungarian_ai_ci 2",
      "uca1400_sinhala_ai_ci 2",
      "uca1400_german2_ai_ci 2",
      "uca1400_vietnamese_ai_ci 2",
      "uca1400_croatian_ai_ci 2",
      "cp1251_ukrainian_ci 10",
    ]
  `);
});

const SINGLE =
  /^(latin\d|cp(125\d|850|852|866)|koi8[ru]|ascii|greek|hebrew|armscii8|geostd8|dec8|hp8|keybcs2|mac(ce|roman)|swe7|tis620)$/;
