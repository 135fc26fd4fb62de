/** Equality of texts under a collation; `tooling/systems/databases` compares all characters with real servers. */
import { expect, it } from 'vitest';
import { findFold } from '../src/collation/fold.js';

it.each([
  // With PAD SPACE, and without it.
  ['utf8mb4_bin', 'a', 'a ', true],
  ['utf8mb4_bin', 'a', 'A', false],
  ['utf8mb4_nopad_bin', 'a', 'a ', false],
  ['utf8mb4_general_ci', 'a', 'a  ', true],
  ['utf8mb4_general_nopad_ci', 'a', 'a ', false],
  ['utf8mb4_0900_ai_ci', 'a', 'a ', false],
  ['utf8mb4_0900_ai_ci', 'a', 'Á', true],
  ['utf8mb4_uca1400_nopad_ai_ci', 'a', 'a ', false],
  ['utf8mb4_uca1400_ai_ci', 'a', 'a ', true],
  // ß: a letter in general_ci.
  ['utf8mb4_general_ci', 'ß', 'S', true],
  ['utf8mb4_general_ci', 'ß', 'ss', false],
  ['utf8mb4_unicode_ci', 'Straße', 'STRASSE', true],
  ['utf8mb4_unicode_520_ci', 'Straße', 'STRASSE', true],
  ['utf8_unicode_520_ci', 'ẞ', 'ss', true],
  ['utf8mb4_0900_ai_ci', 'Straße', 'STRASSE', true],
  // Letters with a stroke.
  ['utf8mb4_unicode_ci', 'ø', 'o', false],
  ['utf8mb4_unicode_520_ci', 'ø', 'o', true],
  ['utf8mb4_0900_ai_ci', 'Łódź', 'LODZ', true],
  ['utf8mb4_unicode_ci', 'ﬁ', 'FI', true],
  // Above U+FFFF.
  ['utf8mb4_unicode_ci', '😀', '😁', true],
  ['utf8mb4_general_ci', 'a😀', 'A😁', true],
  ['utf8mb4_general_ci', 'a😀', 'b😁', false],
  ['utf8mb4_unicode_520_ci', '😀', '😁', false],
  ['utf8mb4_0900_ai_ci', '𐐀', '𐐨', true],
  // Vowel signs are letters.
  ['utf8mb4_unicode_520_ci', 'कि', 'की', false],
  ['utf8mb4_0900_ai_ci', '२', '2', true],
  ['utf8mb4_unicode_520_ci', 'a\u200db', 'AB', true],
  // Languages.
  ['utf8mb4_swedish_ci', 'å', 'a', false],
  ['utf8mb4_swedish_ci', 'Ü', 'y', true],
  ['utf8mb4_sv_0900_ai_ci', 'a\u030a', 'Å', true],
  ['utf8mb4_danish_ci', 'Århus', 'AARHUS', true],
  ['utf8mb4_german2_ci', 'ÄRGER', 'aerger', true],
  ['utf8mb4_de_pb_0900_ai_ci', 'ÄRGER', 'aerger', true],
  ['utf8mb4_turkish_ci', 'I', 'i', false],
  ['utf8mb4_turkish_ci', 'I', 'ı', true],
  ['utf8mb4_spanish_ci', 'ñ', 'n', false],
  ['utf8mb4_spanish_ci', 'á', 'A', true],
  // Accents and case that count.
  ['utf8mb4_0900_as_ci', 'é', 'e', false],
  ['utf8mb4_0900_as_ci', 'é', 'E\u0301', true],
  ['utf8mb4_0900_as_cs', 'é', 'É', false],
  ['utf8mb4_0900_as_cs', 'é', 'e\u0301', true],
  ['uca1400_ai_cs', 'é', 'e', true],
  // Other character sets.
  ['latin1_swedish_ci', 'ä', 'Ä', true],
  ['latin1_swedish_ci', 'ä', 'a', false],
  ['latin1_swedish_ci', 'à', 'A', true],
  ['latin1_german1_ci', 'ä', 'A', true],
  ['latin1_german2_ci', 'ä', 'AE', true],
  ['latin1_general_cs', 'a', 'A', false],
  ['cp1251_general_ci', 'Привет', 'ПРИВЕТ', true],
  // Nothing is known: rather too many.
  ['gbk_chinese_ci', 'É', 'e', true],
  ['utf8mb4_klingon_ci', 'É', 'e', true],
  // PostgreSQL and SQLite.
  ['icu', 'co-op', 'Coop', true],
  ['citext', 'É', 'é', true],
  ['citext', 'É', 'e', false],
  ['NOCASE', 'aZ', 'Az', true],
  ['NOCASE', 'é', 'É', false],
  ['RTRIM', 'a b', 'a b  ', true],
  ['BINARY', 'a', 'a ', false],
  ['C', 'a', 'A', false],
])('%s: %j and %j are equal: %s', (collation, one, other, isEqual) => {
  const fold = findFold(collation) ?? ((text: string) => text);
  expect(fold(one) === fold(other)).toBe(isEqual);
});
