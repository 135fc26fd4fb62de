/** Commands that the playground recommends: each is run on its input, and nothing in which a scan finds something is fine. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { run } from '../../../packages/cli/src/main/dispatch.js';
import { useFolder } from '../../../packages/dump/test/use-folder.js';
import { scale, seed } from '../../../tooling/tiers/tier.js';
import { type Analysis, analyse } from '../src/playground/analysis.js';
import { LossSearch } from '../src/playground/losses.js';

const at = useFolder();

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

/** A character for each byte. */
const spell = (text: string): string => Buffer.from(text).toString('latin1');
const PAIR = '\xed\xa0\xbd\xed\xb8\x80';
const HIGH = '\xed\xa0\xbd';
const SMILE = spell('😀');

/** Analyses bytes as they are typed, or as a file with a name. */
const analyseText = (text: string, name?: string): Promise<Analysis> => {
  const bytes = bytesOf(text);
  return analyse(name === undefined ? bytes : new File([bytes], name), () => {});
};

/** Runs a command line of the page on an input. Returns its exit code. */
async function runCommand(line: string, text: string, name = 'FILE'): Promise<number> {
  writeFileSync(at(name), bytesOf(text));
  const words = line.split(' ').slice(1);
  // Names of the page stand for files of this folder.
  const placed = words.map((word) =>
    word.startsWith(name.split('.')[0] as string) ? at(word) : word,
  );
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((...args: unknown[]) => {
      const done = args.at(-1);
      if (typeof done === 'function') done();
      return true;
    }),
  );
  try {
    return await run(placed);
  } finally {
    for (const spy of spies) spy.mockRestore();
    for (const word of placed) if (path.isAbsolute(word)) rmSync(word, { force: true });
  }
}

/** Returns what a command prints. */
async function readOutput(words: readonly string[]): Promise<string> {
  let printed = '';
  const spies = [process.stdout, process.stderr].map((stream, i) =>
    vi.spyOn(stream, 'write').mockImplementation((...args: unknown[]) => {
      if (i === 0) printed += String(args[0]);
      const done = args.at(-1);
      if (typeof done === 'function') done();
      return true;
    }),
  );
  try {
    await run(words);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return printed;
}

/** Expects a command to do what it is recommended for. */
async function expectRun(command: string, text: string, name: string | undefined): Promise<void> {
  const exitCode = await runCommand(command, text, name);
  // A scan ends with 1 if it finds something that a conversion would change.
  if (command.startsWith('utf8 scan')) expect([0, 1]).toContain(exitCode);
  else expect([command, exitCode]).toEqual([command, 0]);
}

const mysqldump = (...values: readonly string[]): string =>
  [
    '-- MySQL dump 10.13  Distrib 8.0.36\n/*!40101 SET NAMES utf8mb4 */;\n',
    'CREATE TABLE `t` (`id` int, `a` text) DEFAULT CHARSET=utf8mb4;\n',
    ...values.map((value, i) => `INSERT INTO \`t\` VALUES (${i},'${value}');\n`),
  ].join('');

describe('advice', () => {
  it.each<[what: string, text: string, name: string | undefined, commands: readonly string[]]>([
    ['nothing for UTF-8', spell('größer 😀'), undefined, []],
    ['a conversion', PAIR, undefined, ['utf8 convert -f cesu-8 FILE -o FILE.utf-8']],
    [
      'the conversion that the scan of a dump names',
      mysqldump(PAIR),
      'dump.sql',
      [
        'utf8 convert dump.sql --format mysqldump --from cesu-8 --to utf-8 --unpaired-surrogates fail --nul fail --errors fail --undo dump.undo.jsonl -o dump.utf-8.sql',
        'utf8 scan -f cesu-8 --format mysqldump dump.sql',
      ],
    ],
    [
      'the scan for a dump with narrow columns, which a conversion may refuse',
      mysqldump(PAIR).replaceAll('utf8mb4', 'utf8mb3'),
      'dump.sql',
      ['utf8 scan -f cesu-8 --format mysqldump dump.sql'],
    ],
    [
      'the scan for a dump in the encoding that it declares',
      mysqldump('gr\xfcn').replace('NAMES utf8mb4', 'NAMES latin1'),
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
    ['nothing for a dump in which the scan finds nothing', mysqldump(SMILE), 'dump.sql', []],
    [
      'the scan for a dump with text that was encoded twice',
      mysqldump(spell('cafÃ©'), spell('ðŸ˜€'), '????'),
      'dump.sql',
      ['utf8 scan -f utf-8 --format mysqldump dump.sql'],
    ],
    [
      'a conversion of the header for a well-formed dump that declares another encoding',
      mysqldump(spell('größer')).replace('NAMES utf8mb4', 'NAMES latin1'),
      'dump.sql',
      [
        'utf8 convert dump.sql --format mysqldump --fix-header --from utf-8 --to utf-8 --unpaired-surrogates fail --nul fail --errors fail --undo dump.undo.jsonl -o dump.utf-8.sql',
        'utf8 scan -f utf-8 --format mysqldump dump.sql',
      ],
    ],
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

  it('prints of a dump what utf8 scan prints', async () => {
    const text = `\xef\xbb\xbf${mysqldump(PAIR, `${HIGH}a`, spell('cafÃ©'), '\\\\0')}`.replace(
      'NAMES utf8mb4',
      'NAMES latin1',
    );
    const { scanned } = await analyseText(text, 'dump.sql');
    writeFileSync(at('dump.sql'), bytesOf(text));
    const words = `scan -f cesu-8+utf-8 --unpaired-surrogates escape --format mysqldump ${at('dump.sql')}`;
    const printed = await readOutput(words.split(' '));
    const lines = printed.replaceAll(at('dump.sql'), 'dump.sql').split('\n');
    expect(scanned?.lines.length).toBeGreaterThan(9);
    expect(lines.slice(0, scanned?.lines.length)).toEqual(scanned?.lines);
  });

  it.each<[title: string, tone: string, text: string]>([
    ['😀 as Oracle, SAP HANA and Java store it', 'bad', PAIR],
    ['Text with 😀 as Oracle, SAP HANA and Java store it', 'bad', `a${PAIR}`],
    ['NUL as Java and Android store it', 'bad', '\xc0\x80'],
    ['/ in a hidden form: an attack', 'bad', '..\xc0\xaf'],
    ['Mixed or damaged text', 'bad', `gr\xc3\xbcn ${SMILE} ${PAIR} ${HIGH}a \xfcber`],
    ['Not UTF-8, and no relative of it', 'bad', 'gr\xfc\xdfe'],
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
    const { notes } = await analyseText(mysqldump('a ????', 'really???'), 'dump.sql');
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
      expect(search.finish().replacements, `cut at ${cut}`).toBe(3);
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

  const piece = fc.oneof(
    fc.constantFrom(
      PAIR,
      HIGH,
      SMILE,
      '\xc0\x80',
      '\xff',
      '\xc3',
      spell('cafÃ© crÃ¨me'),
      '\xf4\x90\x80\x80',
    ),
    fc.string({ unit: 'grapheme', maxLength: 12 }).map(spell),
    fc.constant(spell('größer 漢字 ')),
  );

  it('is a command that works, and all is never called well where a scan finds something', {
    tags: ['slow'],
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        async (pieces, isDump) => {
          const value = pieces.join('').replace(/[\\'\0\n\r]/g, '');
          const text = isDump ? mysqldump('plain', value) : value;
          const name = isDump ? 'dump.sql' : undefined;
          const { steps, notes, refusal } = await analyseText(text, name);
          if (refusal) return;
          for (const { command } of steps) await expectRun(command, text, name);
          if (steps.length + notes.length > 0) return;
          writeFileSync(at('scanned'), bytesOf(text));
          const format = isDump ? 'mysqldump' : 'lines';
          await runCommand(`utf8 scan -f utf-8 --format ${format} --report FILE.report FILE`, text);
          expect(readReport()).toBe('');
        },
      ),
      { seed, numRuns: scale(400) },
    );
  });

  const readReport = (): string => {
    try {
      return readFileSync(at('FILE.report'), 'utf8');
    } catch {
      return '';
    }
  };
});
