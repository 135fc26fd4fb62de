/**
 * Text of mixed encodings: what `@utf8/repair`, ftfy and fix_latin make of it, in languages that our
 * rules were made with (tuning) and in others (held out).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createRepairer } from '@utf8/repair';
import { afterAll, describe, expect, it } from 'vitest';
import { isNight, seed as randomSeed } from '../../../tiers/tier.js';
import { damages, original } from '../src/damage.js';
import { type Peer, ProgramPeer } from '../src/peer.js';
import { repairers } from '../src/programs.js';
import { Random } from '../src/random.js';
import { heldOut, regional, tuning, writeText } from '../src/sentences.js';

/** Texts of each language, and the seed: at night those of the README's table, which has the other repairers. */
const texts = isNight ? 100 : 10;
const seed = isNight ? 5 : randomSeed;
const readme = fileURLToPath(new URL('../../../../packages/repair/README.md', import.meta.url));

const options = { from: 'cesu-8+utf-8', errors: 'windows-1252', nul: 'keep' } as const;
const repair = createRepairer({ ...options, mojibake: 'repair' });
const repairByDefault = createRepairer({ from: 'cesu-8+utf-8', nul: 'keep' });

type Fix = (values: readonly Uint8Array[]) => Promise<Uint8Array[]>;

const ours: Fix = async (values) => values.map((value) => repair(value).bytes);
const theirs =
  (peer: Peer): Fix =>
  async (values) =>
    (
      await peer.ask(
        'fix',
        values.map((value) => Buffer.from(value).toString('hex')),
      )
    ).map((answer) => Buffer.from(answer.slice('ok '.length), 'hex'));

const peers = isNight
  ? await Promise.all(repairers.map((program) => ProgramPeer.start(program)))
  : [];
afterAll(() => {
  for (const peer of peers) peer.stop();
});
const fixes: readonly (readonly [name: string, fix: Fix])[] = [
  ['ours', ours],
  ...peers
    .toSorted((a, b) => (a.name < b.name ? 1 : -1))
    .map((peer) => [peer.name, theirs(peer)] as const),
];

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** Texts of a corpus, each once. */
function writeCorpus(corpus: typeof tuning): string[] {
  const random = new Random(seed);
  const languages = Object.values(corpus);
  const written = languages.flatMap((language) =>
    Array.from({ length: texts }, () => writeText(random, language)),
  );
  // Texts that are all ASCII test nothing.
  return [...new Set(written)].filter((text) => /[^\0-\x7f]/.test(text));
}

interface Score {
  damaged: number;
  restored: number;
  /** Words that were right before, and are not any more. */
  spoiled: number;
}

async function score(fix: Fix, values: readonly Uint8Array[], wanted: readonly string[]) {
  const fixed = await fix(values);
  const total: Score = { damaged: 0, restored: 0, spoiled: 0 };
  for (const [i, value] of values.entries()) {
    const [before, after, right] = [
      textOf(value),
      textOf(fixed[i] as Uint8Array),
      textOf(bytesOf(wanted[i] as string)),
    ].map((text) => text.split(/[ \n]/));
    for (const [j, word] of (right as string[]).entries()) {
      const isDamaged = before?.[j] !== word;
      if (isDamaged) total.damaged++;
      if (isDamaged && after?.[j] === word) total.restored++;
      if (!isDamaged && after?.[j] !== word) total.spoiled++;
    }
  }
  return total;
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)}`;

/** Rows of a table by the name of the corpus. */
const tables: Record<string, string[]> = {};

describe.each([
  ['tuning', tuning],
  ['held out', heldOut],
  ['regional', regional],
] as const)('%s', (name, corpus) => {
  const rows: string[] = [];
  tables[name] = rows;
  const clean = writeCorpus(corpus);
  const cleanBytes = clean.map(bytesOf);

  it('clean text stays the very same bytes', async () => {
    for (const bytes of cleanBytes) expect(repairByDefault(bytes).bytes).toBe(bytes);
    const changed = cleanBytes.filter((bytes) => repair(bytes).bytes !== bytes);
    expect(changed.map((bytes) => Buffer.from(bytes).toString())).toEqual([]);
    const cells = [];
    for (const [, fix] of fixes) {
      const fixed = await fix(cleanBytes);
      cells.push(
        fixed.filter((bytes, i) => textOf(bytes) !== textOf(cleanBytes[i] as Uint8Array)).length,
      );
    }
    rows.push(`| ${clean.length} clean texts: changed | ${cells.join(' | ')} |`);
  });

  it.each(Object.entries(damages))('%s', async (damage, inflict) => {
    const random = new Random(seed);
    const pairs = clean.flatMap((text) => {
      const bytes = inflict(text, random);
      const wanted = original(damage, text);
      return bytes && textOf(bytes) !== textOf(bytesOf(wanted)) ? [{ bytes, wanted }] : [];
    });
    const values = pairs.map(({ bytes }) => bytes);
    const cells: string[] = [];
    for (const [fixer, fix] of fixes) {
      const { damaged, restored, spoiled } = await score(
        fix,
        values,
        pairs.map(({ wanted }) => wanted),
      );
      cells.push(`${percent(restored, damaged)} (${spoiled})`);
      if (fixer === 'ours') expect(spoiled).toBe(0);
    }
    rows.push(`| ${damage} | ${cells.join(' | ')} |`);
    for (const value of values) {
      const once = repair(value);
      if (once.status !== 'rejected') expect(repair(once.bytes).bytes).toBe(once.bytes);
    }
  });
});

it('the table of the README is what was measured', { tags: ['night'] }, () => {
  const names = fixes.map(([name]) => name);
  const head = [`| | ${names.join(' | ')} |`, `| --- |${' --- |'.repeat(names.length)}`];
  const format = (rows: readonly string[] = []): string => [...head, ...rows].join('\n');
  const table = format(tables['held out']);
  const text = readFileSync(readme, 'utf8');
  const [, found = ''] = /<!-- mixed-encodings -->\n\n([\s\S]*?)\n\n<!-- end -->/.exec(text) ?? [];
  // UTF8_WRITE=1 writes a new one.
  if (process.env.UTF8_WRITE) writeFileSync(readme, text.replace(found, table));
  else expect(found).toBe(table);
});
