/**
 * Texts that the collations of a real MySQL treat as equal. Only MySQL has UCA 9.0.
 *
 * @module-tag night
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findFold } from '../../../../packages/dump/src/collation/fold.js';
import {
  findMissed,
  formatModule,
  LETTERS_END,
  recordLanguage,
  Weigher,
} from '../src/collation/record.js';
import { MySql } from '../src/mysql.js';

let mysql: MySql;
let weigher: Weigher;
beforeAll(async () => {
  mysql = await MySql.start();
  weigher = new Weigher(mysql);
});
afterAll(() => mysql.stop());

/** Names of languages in UCA 9.0. */
const LANGUAGE = /^utf8mb4_(\w+?)_0900_ai_ci$/;

it('the recorded languages are those of the server', async () => {
  const root = weigher.weigh('utf8mb4_0900_ai_ci');
  const fold = findFold('utf8mb4_0900_ai_ci') as (text: string) => string;
  const languages = Object.fromEntries(
    weigher.list().flatMap(({ name }) => {
      const language = LANGUAGE.exec(name)?.[1];
      // Russian only puts Cyrillic first.
      return language && language !== 'ru'
        ? [[language, recordLanguage(weigher, name, root, fold)]]
        : [];
    }),
  );
  const comment =
    'Characters that MySQL treats as equal by UCA 9.0, written by `UTF8_TIER=night npm test -- tooling/systems/databases/test/collations-mysql.test.ts -u`.';
  await expect(formatModule(comment, { languages })).toMatchFileSnapshot(
    '../../../../packages/dump/src/collation/recorded-mysql.ts',
  );
});

it('texts that are equal in a collation have the same fold', () => {
  const missed = weigher.list().flatMap(({ name, charset }) => {
    if (charset !== 'utf8mb4') return [];
    const limit = /_(unicode|general|bin)|mb4_0900/.test(name) ? undefined : LETTERS_END;
    const fold = findFold(name) ?? ((text: string) => text);
    return findMissed(weigher.weigh(name, limit), fold).map((pair) => `${name}: ${pair}`);
  });
  expect(missed).toEqual([]);
});
