/** Commands that the playground recommends: each is run on its input, and the page agrees with `utf8 scan`. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { vectors } from '@utf8/vectors';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { run } from '../../../packages/cli/src/main/dispatch.js';
import { recognize } from '../../../packages/dump/src/format/guess.js';
import { useFolder } from '../../../packages/dump/test/use-folder.js';
import { choose, scale, seed } from '../../../tooling/tiers/tier.js';
import { type Analysis, analyse } from '../src/playground/analysis.js';
import { LossSearch } from '../src/playground/losses.js';
import {
  type GeneratedInput,
  HIGH,
  input,
  mysqldump,
  PAIR,
  SMILE,
  spell,
} from './generated-input.js';

const at = useFolder();

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

/** Analyses bytes as they are typed, or as a file with a name. */
const analyseText = (text: string, name?: string): Promise<Analysis> => {
  const bytes = bytesOf(text);
  return analyse(name === undefined ? bytes : new File([bytes], name), () => {});
};

/** Runs the command. Returns its exit code and its output. */
async function runQuietly(words: readonly string[]): Promise<{ exitCode: number; stdout: string }> {
  let stdout = '';
  const spies = [process.stdout, process.stderr].map((stream, i) =>
    vi.spyOn(stream, 'write').mockImplementation((...args: unknown[]) => {
      if (i === 0) stdout += String(args[0]);
      const done = args.at(-1);
      if (typeof done === 'function') done();
      return true;
    }),
  );
  try {
    return { exitCode: await run(words), stdout };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Expects a command line of the page to succeed on an input. */
async function expectRun(command: string, text: string, name = 'FILE'): Promise<void> {
  writeFileSync(at(name), bytesOf(text));
  const [, ...words] = command.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", '')) ?? [];
  // Names of the page stand for files of this folder.
  const isName = (word: string): boolean => word.startsWith(name.split('.')[0] as string);
  const placed = words.map((word) => (isName(word) ? at(word) : word));
  const { exitCode } = await runQuietly(placed);
  for (const word of placed) if (path.isAbsolute(word)) rmSync(word, { force: true });
  // A scan ends with 1 if it finds something that a conversion would change.
  if (words[0] === 'scan') expect([0, 1]).toContain(exitCode);
  else expect([command, exitCode]).toEqual([command, 0]);
}

/** Scans an input as a user does: as plain text if the command asks for the format. */
async function scanByCommand({
  text,
  name,
}: GeneratedInput): Promise<{ isRead: boolean; isClean: boolean }> {
  const file = at(name ?? 'FILE');
  writeFileSync(file, bytesOf(text));
  const scan = (format: readonly string[]) => runQuietly(['scan', '--json', ...format, file]);
  const isDump = recognize(file, bytesOf(text), true, {})?.is === 'dump';
  let { exitCode, stdout } = await scan(name === undefined ? ['--format', 'lines'] : []);
  if (exitCode > 1 && !isDump) ({ exitCode, stdout } = await scan(['--format', 'lines']));
  rmSync(file);
  return {
    isRead: exitCode < 2,
    isClean: exitCode === 0 && !stdout.includes('{"type":"finding"'),
  };
}

/** Expects the page and `utf8 scan` to agree on an input, and the commands of the page to succeed on it. */
async function expectAgreement(input: GeneratedInput): Promise<void> {
  const { text, name } = input;
  const { isRead, isClean } = await scanByCommand(input);
  // Bytes that only begin like gzip are an error of the page, too.
  const page = await analyseText(text, name).catch(() => undefined);
  if (!page) {
    expect(isRead).toBe(false);
    return;
  }
  const asks = page.notes.some((note) => note.startsWith('SQL of an unknown program'));
  const findings = [page.refusal, page.scanError, ...page.steps];
  if (page.scanned?.isClean === false) findings.push('findings');
  const finds = findings.some((finding) => finding !== undefined);
  const said = [page.answer.title, page.answer.tone, page.isFine, finds, ...page.notes];
  // Some damage is beyond repair, so that no scan finds it.
  if (page.isFine) expect([isClean, ...said]).toEqual([true, ...said]);
  else if (!asks) {
    expect([finds, ...said]).toEqual([!isClean, ...said]);
    expect([isClean && page.notes.length === 0, ...said]).toEqual([false, ...said]);
  }
  expect([page.answer.tone === 'good', ...said]).toEqual([page.isFine, ...said]);
  if (page.refusal) expect(isRead).toBe(false);
  for (const { command } of page.steps) await expectRun(command, text, name);
}

describe('advice', () => {
  it.each<[what: string, text: string, name: string | undefined, commands: readonly string[]]>([
    ['nothing for UTF-8', spell('größer 😀'), undefined, []],
    ['a conversion', PAIR, undefined, ['utf8 convert -f cesu-8 FILE -o FILE.utf-8']],
    [
      'the conversion that the scan of a dump names',
      mysqldump([PAIR]),
      'dump.sql',
      [
        'utf8 convert dump.sql --format mysqldump --from cesu-8 --to utf-8 --unpaired-surrogates fail --nul fail --errors fail --undo dump.undo.jsonl -o dump.utf-8.sql',
        'utf8 scan -f cesu-8 --format mysqldump dump.sql',
      ],
    ],
    [
      'a conversion that widens the columns of a dump',
      mysqldump([PAIR]).replaceAll('utf8mb4', 'utf8mb3'),
      'dump.sql',
      [
        'utf8 convert dump.sql --format mysqldump --fix-header --from cesu-8 --to utf-8 --unpaired-surrogates fail --nul fail --errors fail --undo dump.undo.jsonl -o dump.utf-8.sql',
        'utf8 scan -f cesu-8 --format mysqldump dump.sql',
      ],
    ],
    [
      'the scan for a dump whose repaired text is too long for its column',
      mysqldump([`abcdefg${HIGH}`], { column: 'varchar(9)' }),
      'dump.sql',
      ['utf8 scan -f cesu-8-lenient --format mysqldump --unpaired-surrogates escape dump.sql'],
    ],
    [
      'the scan for a dump with unique keys that become equal',
      mysqldump([PAIR, SMILE], {
        column: 'varchar(9) COLLATE utf8mb4_0900_ai_ci',
        key: ', UNIQUE KEY `k` (`a`)',
      }),
      'dump.sql',
      ['utf8 scan -f cesu-8+utf-8 --format mysqldump dump.sql'],
    ],
    [
      'the scan for a dump in the encoding that it declares',
      mysqldump(['gr\xfcn']).replace('NAMES utf8mb4', 'NAMES latin1'),
      'dump.sql',
      ['utf8 scan -f utf-8 --format mysqldump dump.sql'],
    ],
    [
      'nothing for SQL of an unknown program',
      "INSERT INTO t VALUES ('\xed\xa0\xbd\xed\xb8\x80');\n",
      'dump.sql',
      [],
    ],
    ['the meaning of binary data', '\0\xff\0\xfe\0\xfd', undefined, ['utf8 explain FILE']],
    ['nothing for a dump in which the scan finds nothing', mysqldump([SMILE]), 'dump.sql', []],
    [
      'the scan for a dump with text that was encoded twice',
      mysqldump([spell('cafÃ©'), spell('ðŸ˜€'), '????']),
      'dump.sql',
      ['utf8 scan -f utf-8 --format mysqldump dump.sql'],
    ],
    [
      'a conversion of the header for a well-formed dump that declares another encoding',
      mysqldump([spell('größer')]).replace('NAMES utf8mb4', 'NAMES latin1'),
      'dump.sql',
      [
        'utf8 convert dump.sql --format mysqldump --fix-header --from utf-8 --to utf-8 --unpaired-surrogates fail --nul fail --errors fail --undo dump.undo.jsonl -o dump.utf-8.sql',
        'utf8 scan -f utf-8 --format mysqldump dump.sql',
      ],
    ],
    [
      'Windows-1252 for text with one byte for each character',
      'gr\xfc\xdfe',
      undefined,
      ['utf8 convert -f utf-8 --errors windows-1252 FILE -o FILE.utf-8'],
    ],
    [
      'the conversion of records that the scan of a CSV file names',
      'id;name\n1;gr\xfc\xdfe\n',
      'names.csv',
      [
        "utf8 convert names.csv --format csv --delimiter ';' --from utf-8 --to utf-8 --unpaired-surrogates fail --nul fail --errors windows-1252 --undo names.undo.jsonl -o names.utf-8.csv",
        "utf8 scan -f utf-8 --format csv --delimiter ';' --errors windows-1252 names.csv",
      ],
    ],
    [
      'a conversion as plain text, and the scan, for a CSV file with U+0000',
      'id,name\n1,\xc0\x80\n',
      'names.csv',
      [
        'utf8 convert -f mutf-8 names.csv -o names.utf-8.csv',
        'utf8 scan -f mutf-8 --format csv names.csv',
      ],
    ],
    [
      'the second encoding undone by records',
      `id,name\n1,${spell('cafÃ© crÃ¨me')}\n`,
      'names.csv',
      [
        'utf8 convert -f utf-8 --format csv --mojibake repair --undo names.undo.jsonl names.csv -o names.utf-8.csv',
        'utf8 scan -f utf-8 --format csv names.csv',
      ],
    ],
    ['nothing for a CSV file in UTF-8', spell('id,name\n1,größer\n'), 'names.csv', []],
    ['no conversion of an attack', '..\xc0\xaf', undefined, ['utf8 explain FILE']],
    [
      'visible escapes for a mixture',
      `gr\xc3\xbcn ${SMILE} ${PAIR} ${HIGH}a \xfcber`,
      undefined,
      ['utf8 convert -f cesu-8+utf-8 --errors escape FILE -o FILE.utf-8'],
    ],
  ])('is %s', async (_, text, name, commands) => {
    const { steps } = await analyseText(text, name);
    expect(steps.map(({ command }) => command)).toEqual(commands);
    for (const command of commands) await expectRun(command, text, name);
  });

  it('shows keys that become equal, declared before or after the rows', async () => {
    const key = 'ALTER TABLE `t` ADD UNIQUE KEY `k` (`a`);\n';
    const text = mysqldump([PAIR, SMILE], { column: 'varchar(9)' }) + key;
    const { scanned } = await analyseText(text, 'dump.sql');
    expect(scanned?.lines).toContainEqual(expect.stringMatching(/^equal-keys 1: t\.a 1$/));
    expect(scanned?.next).toBeUndefined();
  });

  it('prints of a dump what utf8 scan prints', async () => {
    const declared = { names: 'latin1', column: 'varchar(9)', key: ', UNIQUE KEY `k` (`a`)' };
    const values = [PAIR, SMILE, `${HIGH}a`, spell('cafÃ©'), '\\\\0'];
    const text = `\xef\xbb\xbf${mysqldump(values, declared)}`;
    const { scanned } = await analyseText(text, 'dump.sql');
    writeFileSync(at('dump.sql'), bytesOf(text));
    const words = `scan -f cesu-8+utf-8 --unpaired-surrogates escape --format mysqldump ${at('dump.sql')}`;
    const { stdout } = await runQuietly(words.split(' '));
    const lines = stdout.replaceAll(at('dump.sql'), 'dump.sql').split('\n');
    expect(scanned?.lines.length).toBeGreaterThan(9);
    expect(lines.slice(0, scanned?.lines.length)).toEqual(scanned?.lines);
  });

  it.each<[title: string, tone: string, text: string]>([
    ['😀 as Oracle, SAP HANA and Java store it', 'bad', PAIR],
    ['Text with 😀 as Oracle, SAP HANA and Java store it', 'bad', `a${PAIR}`],
    ['NUL as Java and Android store it', 'bad', '\xc0\x80'],
    ['/ in a hidden form: an attack', 'bad', '..\xc0\xaf'],
    ['Mixed or damaged text', 'bad', `gr\xc3\xbcn ${SMILE} ${PAIR} ${HIGH}a \xfcber`],
    ['Not UTF-8: one byte for each character', 'bad', 'gr\xfc\xdfe'],
    ['Not UTF-8, and no relative of it', 'bad', 'gr\xfc\x81e'],
    ['Cut off in the middle of a character', 'bad', 'gr\xc3'],
    ['UTF-8 that was encoded twice', 'doubt', spell('cafÃ© crÃ¨me')],
    ['Valid UTF-8, perhaps damaged before', 'doubt', '????'],
    ['Valid UTF-8', 'good', SMILE],
  ])('names what was pasted: %s', async (title, tone, text) => {
    const { answer } = await analyseText(text);
    expect([answer.title, answer.tone]).toEqual([title, tone]);
  });

  it('shows bytes and text before and after, with the reason that utf8 explain gives', async () => {
    const { answer } = await analyseText(`plain ${PAIR}!`);
    expect(answer.example).toEqual({
      bytes: '61 69 6E 20 ED A0 BD ED B8 80 21',
      shown: `ain ${'\ufffd'.repeat(6)}!`,
      result: '61 69 6E 20 F0 9F 98 80 21',
      text: 'ain 😀!',
    });
    expect(answer.reasons.join(' ')).toMatch(/D83D DE00.*write F0 9F 98 80\..*SAP HANA/);
    const mixed = await analyseText(`${SMILE}\xff`);
    expect(mixed.answer.example?.text).toBe('😀\\xff');
  });

  it('has an example for any part of a long text', async () => {
    for (let length = 242; length < 254; length++) {
      const { answer } = await analyseText(`a${PAIR}${'b'.repeat(length)}${PAIR}${SMILE}`);
      expect(answer.example?.text, String(length)).toContain('😀');
    }
  });

  it('doubts a text of a few bytes that may be encoded twice, and ???? ', async () => {
    expect((await analyseText('\xc3\x83\xc2\xa9')).notes).toEqual([
      'If this should be é, it was encoded as UTF-8 twice: too little text to be sure.',
    ]);
    const { notes } = await analyseText(mysqldump(['a ????', 'really???']), 'dump.sql');
    expect(notes).toEqual([expect.stringMatching(/^\?{4} in 1 place: /)]);
    expect((await analyseText(spell('größer'))).notes).toEqual([]);
  });

  it('finds what another program replaced, wherever a stream is cut', async () => {
    const text = spell(`a\ufffd\ufffdb\ufffd`);
    const { notes, answer } = await analyseText(text);
    expect(notes).toEqual([expect.stringMatching(/^U\+FFFD in 3 places: /)]);
    expect(answer.tone).toBe('doubt');
    for (let cut = 0; cut <= text.length; cut++) {
      const search = new LossSearch();
      for (const part of [text.slice(0, cut), text.slice(cut, cut + 1), text.slice(cut + 1)]) {
        search.push(bytesOf(part));
      }
      expect(search.replacements, `cut at ${cut}`).toBe(3);
    }
  });

  it('of a dump that cannot be scanned is the reason, in the words of the command', async () => {
    const text =
      '--\n-- PostgreSQL database dump\n--\n\nCOPY public.t (id, name) FROM stdin;\n1\ta\n\\.\n';
    const { steps, scanError } = await analyseText(text, 'dump.sql');
    expect(steps).toEqual([]);
    expect(scanError).toMatch(/unknown table "public.t".* --schema/);
  });

  it('for a class file names the command that reads it', async () => {
    const text = '\xca\xfe\xba\xbe\0\0\0\x3d\0\x05';
    expect((await analyseText(text, 'A.class')).refusal).toContain('utf8 strings');
  });

  it('agrees with utf8 scan on a few inputs', () =>
    fc.assert(fc.asyncProperty(input, expectAgreement), { seed, numRuns: 8 }));

  it('agrees with utf8 scan on hundreds of inputs of all kinds', { tags: ['slow'] }, () =>
    fc.assert(fc.asyncProperty(input, expectAgreement), { seed, numRuns: scale(500) }),
  );

  it('agrees with utf8 scan on every vector', { tags: ['slow'] }, async () => {
    for (const { bytes } of choose(vectors, 100)) {
      await expectAgreement({
        text: Buffer.from(bytes, 'hex').toString('latin1'),
        name: undefined,
      });
    }
  });
});
