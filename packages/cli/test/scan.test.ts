import { mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { choose, scale } from '../../../tooling/tiers/tier.js';
import { adviseHazard } from '../src/words/hazard.js';
import { finish, start } from './built.js';
import { hex, plainEnv, splitJson, useFolder, utf8 } from './command.js';
import { mixedKinds, plant, writers } from './planted.js';

const path = useFolder();

const PAIR = hex('ED A0 BD ED B8 80');
const SURROGATE = hex('ED A0 BD');

/** Text with `<…>` for bytes in hex. */
function write(name: string, text: string): string {
  const parts = text.split(/<([^>]*)>/).map((part, i) => (i % 2 ? hex(part) : Buffer.from(part)));
  writeFileSync(path(name), Buffer.concat(parts));
  return path(name);
}

/** Returns the findings that a scan reports, without the file. */
async function find(args: readonly string[]): Promise<Record<string, unknown>[]> {
  const kept = ['mojibake', 'noncharacter', 'unassigned'];
  const { stdout, stderr, status } = await utf8(['scan', '--json', ...args]);
  const lines = splitJson(stdout.toString()).findings.split('\n').filter(Boolean);
  const isFlawed = lines.some((line) => !kept.includes(JSON.parse(line).kind));
  expect(status, stderr).toBe(isFlawed ? 1 : 0);
  return lines.map((line) => {
    const { type, file, ...finding } = JSON.parse(line);
    return finding;
  });
}

const csv = ['--format', 'csv'];

describe('scan', () => {
  it('says nothing is found, and ends with 0', async () => {
    const file = write('clean.csv', 'id,name\n1,한국어\n2,"中文\n😀"\n');
    const { status, stdout, stderr } = await utf8(['scan', ...csv, file]);
    expect([status, stdout.toString(), stderr]).toEqual([0, '2 records: nothing found\n', '']);
  });

  it('finds no records in empty input', async () => {
    const { status, stdout } = await utf8(['scan', ...csv]);
    expect([status, stdout.toString()]).toEqual([0, '0 records: nothing found\n']);
  });

  it('sums up by kind and column, with examples, and with what to run next', async () => {
    const file = write(
      'sum.csv',
      `id,name\n1,<${PAIR.toString('hex')}>\n2,"a\n<ED A0 BD>"\n3,<ED A0 BD ED B8 81>\n`,
    );
    const { status, stdout, stderr } = await utf8([
      'scan',
      ...csv,
      file,
      '--max',
      '1',
      '--key',
      'id',
    ]);
    expect([status, stderr]).toEqual([1, '']);
    expect(stdout.toString()).toBe(`3 records: 2 would change, 1 would be rejected

pair 2: name 2
  ${file}:2: column name (record 1, id "1"): offset 10: ED A0 BD ED B8 80 becomes F0 9F 98 80
  and 1 more

unpaired-surrogate 1: name 1
  ${file}:4: column name (record 2, id "2"): offset 22: ED A0 BD is refused (surrogate)

See https://utf8-codecs.github.io/utf8/guide/errors#surrogate
Next: utf8 convert ${file} --format csv --from cesu-8+utf-8 --to utf-8 --unpaired-surrogates fail --nul fail --errors fail --rejects sum.rejects.csv --undo sum.undo.jsonl -o sum.utf-8.csv
`);
  });

  it('says what the policies would put there', async () => {
    const file = write('policies.csv', 'name\n<ED A0 BD>\n<00>x\n<FF>\n<C0 80>\n');
    const policies = ['--unpaired-surrogates', 'escape', '--nul', 'remove', '--errors', 'escape'];
    const found = await find([...csv, file, ...policies]);
    expect(found.map(({ kind, becomes }) => [kind, becomes])).toEqual([
      ['unpaired-surrogate', '5C 75 64 38 33 64'],
      ['nul', ''],
      ['legacy-byte', '5C 78 66 66'],
      ['nul', ''],
    ]);
    const { stdout } = await utf8(['scan', ...csv, file, ...policies]);
    expect(stdout.toString()).toContain('4 records: 4 would change, 0 would be rejected\n');
    expect(stdout.toString()).toContain('offset 9: 00 is removed\n');
    expect(stdout.toString()).not.toContain('--rejects');
  });

  it('writes a report of everything, whatever the summary shows', async () => {
    const file = write('report.csv', `name\n${'<ED A0 BD>\n'.repeat(10)}`);
    const { stdout } = await utf8(['scan', ...csv, file, '--report', path('report.jsonl')]);
    const lines = readFileSync(path('report.jsonl'), 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(10);
    expect(lines[2]).toBe(
      `{"type":"finding","file":${JSON.stringify(file)},"record":3,"line":4,"column":"name","offset":13,"kind":"unpaired-surrogate","bytes":"ED A0 BD","becomes":null,"reason":"surrogate"}`,
    );
    expect(stdout.toString()).toContain('and 7 more\n');
    const json = (await utf8(['scan', ...csv, file, '--json'])).stdout.toString();
    expect(splitJson(json).findings).toBe(readFileSync(path('report.jsonl'), 'utf8'));
  });

  it('sums up as JSON after the findings', async () => {
    const { stdout, stderr } = await utf8(
      ['scan', ...csv, '--json'],
      Buffer.concat([Buffer.from('a\n'), SURROGATE]),
    );
    expect(stderr).toBe('');
    expect(splitJson(stdout.toString()).summary).toEqual({
      type: 'summary',
      records: 1,
      changed: 0,
      rejected: 1,
      findings: { 'unpaired-surrogate': 1 },
      columns: { 'unpaired-surrogate': { a: 1 } },
    });
  });

  it('numbers columns without names, unless --columns names them', async () => {
    const file = write('plain.csv', 'a,<ED A0 BD>\n');
    expect(await find([...csv, file, '--no-header'])).toMatchObject([
      { column: 2, record: 1, line: 1 },
    ]);
    const named = ['--no-header', '--columns', 'id,name'];
    expect(await find([...csv, file, ...named, '--key', 'id'])).toMatchObject([
      { column: 'name', key: { id: 'a' } },
    ]);
    expect(await find([...csv, file, '--no-header', '--key', '1'])).toMatchObject([
      { key: { 1: 'a' } },
    ]);
  });

  it('reads what stands outside of records, too, and says that it would end a conversion', async () => {
    const file = write('header.csv', 'id,na<FF>me\n1,a\n');
    expect(await find([...csv, file])).toMatchObject([
      { record: 0, line: 1, kind: 'legacy-byte', offset: 5 },
    ]);
    const { stdout } = await utf8(['scan', ...csv, file]);
    expect(stdout.toString()).toContain(`${file}:1: outside of records: offset 5: FF is refused`);
    expect(stdout.toString()).toContain('\n1 finding outside of records would stop a conversion;');
  });

  it('reads compressed files, with offsets in what is in them, twice for keys', async () => {
    const plain = write('packed.csv', 'name\na<ED A0 BD ED B8 80>\na😀\n');
    writeFileSync(path('packed.csv.gz'), gzipSync(readFileSync(plain)));
    const expected = await find([...csv, plain, '--key', 'name']);
    const found = await find([...csv, path('packed.csv.gz'), '--key', 'name']);
    expect(found).toMatchObject([{ kind: 'pair', offset: 6 }, { kind: 'equal-keys' }]);
    expect(found.map(({ other, ...rest }) => rest)).toEqual(
      expected.map(({ other, ...rest }) => rest),
    );
  });

  it('continues after a file that cannot be read, or has another format', async () => {
    const file = write('good.csv', 'name\n<FF>\n');
    const broken = write('broken.csv', 'a,b\n"open\n');
    const { status, stdout, stderr } = await utf8(['scan', ...csv, path('none'), broken, file]);
    expect(status).toBe(3);
    expect(stdout.toString()).toContain(
      `${file}:2: column name (record 1): offset 5: FF is refused`,
    );
    const [first, second] = stderr.split('\n');
    expect(first).toBe(`utf8: ${path('none')}: no such file; check the name`);
    expect(second).toBe(
      `utf8: ${broken}:2: unterminated quoted field; close the quote, or set --quote`,
    );
  });

  it('ends quietly if its reader stops', async () => {
    const file = write('many.csv', `name\n${'<FF>\n'.repeat(5000)}`);
    const child = start(['scan', ...csv, file, '--json']);
    child.stdout?.once('data', () => child.stdout?.destroy());
    const { status, stderr } = await finish(child);
    expect([status, stderr]).toEqual([0, '']);
  });

  it('names files for a shell in the command line', async () => {
    const file = write("it's.csv", `name\n<${PAIR.toString('hex')}>\n`);
    const flags = ['--quote', '', '--delimiter', ';', '--no-header', '--columns', 'a'];
    const { stdout } = await utf8(['scan', ...csv, file, ...flags]);
    const next = stdout.toString().split('Next: ')[1];
    expect(next).toBe(
      `utf8 convert '${file.replace("'", "'\\''")}' --format csv --delimiter ';' --columns a --quote '' --no-header --from cesu-8+utf-8 --to utf-8 --unpaired-surrogates fail --nul fail --errors fail --undo 'it'\\''s.undo.jsonl' -o 'it'\\''s.utf-8.csv'\n`,
    );
    const stdin = await utf8(['scan', ...csv], readFileSync(file));
    expect(stdin.stdout.toString()).toContain('Next: utf8 convert --format csv --from');
    expect(stdin.stdout.toString()).toContain('--undo stdin.undo.jsonl -o stdin.utf-8\n');
  });
});

/** The words of a command line, as a shell reads them. */
const splitWords = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');

describe('what to run next', () => {
  it.each(choose(writers, scale(30)).map((writer) => [writer.name, writer] as const))(
    'does what has been told, in %s',
    async (name, writer) => {
      const file = path(`told.${name}`);
      // A conversion keeps what has no character.
      const kinds = mixedKinds.filter((kind) => kind !== 'unassigned');
      plant(file, writer, { rows: 300, seed: 1, hasKeys: false, kinds });
      const args = ['--format', name, ...writer.args];
      const scan = await utf8(['scan', file, ...args, '--json']);
      const { stdout } = await utf8(['scan', file, ...args]);
      const next = /Next: (utf8 convert .*)\n/.exec(stdout.toString())?.[1] ?? '';
      const words = splitWords(next).slice(1);
      await utf8([...words, '--stats', 'stats'], '', { cwd: path('.') });
      const { records, findings } = JSON.parse(readFileSync(path('stats'), 'utf8'));
      const told = splitJson(scan.stdout.toString()).summary;
      const { records: all, changed, rejected } = told;
      expect(records).toMatchObject({ in: all, changed, rejected });
      for (const kind of Object.keys(findings))
        expect(findings[kind]).toBe(told.findings[kind] ?? 0);
      const result = path(`told.utf-8.${name}`);
      const again = await utf8(['scan', result, ...args, '--json']);
      expect([again.status, splitJson(again.stdout.toString()).findings]).toEqual([0, '']);
    },
  );

  it('quotes as it has been told, in strings with backslashes that escape and without', async () => {
    const file = write('quoted.sql', "INSERT INTO t VALUES ('<FF>', E'<FF>');\n");
    const dump = ['--format', 'pg_dump', '--assume', 'text'];
    const args = [...dump, '--errors', 'escape', file];
    const found = await find(args);
    expect(found.map(({ becomes }) => becomes)).toEqual(['5C 78 66 66', '5C 5C 78 66 66']);
    const { stdout } = await utf8(['convert', '--from', 'cesu-8+utf-8', ...args]);
    expect(stdout.toString()).toBe("INSERT INTO t VALUES ('\\xff', E'\\\\xff');\n");
  });

  it('is said for each file that would not stay as it is', async () => {
    const files = ['<FF>', 'clean', '<ED A0 BD ED B8 80>'].map((text, i) =>
      write(`${i}.txt`, text),
    );
    const { stdout } = await utf8(['scan', '--format', 'lines', ...files]);
    const lines = stdout
      .toString()
      .split('\n')
      .filter((line) => line.startsWith('Next: '));
    expect(lines.map((line) => line.replace(/ --from.* --errors fail/, ''))).toEqual([
      `Next: utf8 convert ${files[0]} --format lines --rejects 0.rejects.txt --undo 0.undo.jsonl -o 0.utf-8.txt`,
      `Next: utf8 convert ${files[2]} --format lines --undo 2.undo.jsonl -o 2.utf-8.txt`,
    ]);
  });
});

describe('after hazards, what to run next', () => {
  const PAIR = '<ED A0 BD ED B8 80>';
  const HIGH = '<ED A0 BD>';
  const escaping = ['--unpaired-surrogates', 'escape'];
  const scan = async (text: string, args: readonly string[] = []): Promise<string> => {
    const file = write('hazard.sql', `/*!40101 SET NAMES utf8mb4 */;\n${text}`);
    return (await utf8(['scan', '--format', 'mysqldump', ...args, file])).stdout.toString();
  };

  it.each([
    [
      'too-long',
      `CREATE TABLE t (a varchar(9));\nINSERT INTO t VALUES ('abcdefg${HIGH}');\n`,
      escaping,
    ],
    [
      'equal-keys',
      `CREATE TABLE t (a varchar(9) UNIQUE);\nINSERT INTO t VALUES ('${PAIR}'),('😀');\n`,
      [],
    ],
    [
      'narrow-column',
      `CREATE TABLE t (a text CHARACTER SET swe7);\nINSERT INTO t VALUES ('${PAIR}');\n`,
      [],
    ],
    [
      'text-or-binary',
      `CREATE TABLE t (a text);\nINSERT INTO t SELECT '${PAIR}';\nINSERT INTO t VALUES ('${PAIR}');\n`,
      [],
    ],
  ])('is a decision about %s, and no command that would stop there', async (kind, text, args) => {
    const printed = await scan(text, args);
    expect(printed).toContain(`A conversion would stop at ${kind}: ${adviseHazard(kind)}\n`);
    expect(printed).not.toContain('Next: ');
  });

  // These commands are run.
  it('also rejects rows that refer to rejected ones', async () => {
    const tables =
      'CREATE TABLE p (id int primary key, a text);\nCREATE TABLE c (p int, foreign key (p) references p (id));\n';
    const rows = `INSERT INTO p VALUES (1,'${HIGH}'),(2,'${PAIR}');\nINSERT INTO c VALUES (1),(2);\n`;
    expect(await scan(tables + rows)).toMatch(
      /^Next: .* --rejects hazard\.rejects\.sql --reject-children /m,
    );
  });

  it('declares NATIONAL CHAR as utf8mb4', async () => {
    const text = `CREATE TABLE t (a nvarchar(9));\nINSERT INTO t VALUES ('${PAIR}');\n`;
    expect(await scan(text)).toMatch(/^Next: .* --fix-header /m);
  });
});

describe('a column that is asked for', () => {
  it('is there where all records that have it are rejected', async () => {
    const file = write('rejected.csv', 'id,name\n1,<FF>\n');
    const asked = ['--key', 'id', '--limit', 'name=1b'];
    expect(await find([...csv, file, ...asked])).toMatchObject([{ kind: 'legacy-byte' }]);
  });
});

describe('mojibake', () => {
  it('is suggested, and no reason to convert', async () => {
    const file = write('mojibake.csv', 'id,name\n1,cafÃ©\n2,AMANHÃ…\n3,Ã©tÃ©\n');
    const { status, stdout } = await utf8(['scan', ...csv, file, '--max', '1']);
    expect(status).toBe(0);
    expect(stdout.toString()).toBe(`3 records: 0 would change, 0 would be rejected

mojibake 3: name 3
  ${file}:2: column name (record 1): offset 13: C3 83 C2 A9 becomes C3 A9, read as windows-1252
  and 2 more
  kept; add --mojibake repair to repair it
`);
    expect(await find([...csv, file])).toMatchObject([
      { kind: 'mojibake', record: 1, bytes: 'C3 83 C2 A9', becomes: 'C3 A9' },
      { kind: 'mojibake', record: 3 },
      { kind: 'mojibake', record: 3 },
    ]);
    const { status: kept } = await utf8([
      'convert',
      '-f',
      'utf-8',
      ...csv,
      file,
      '-o',
      path('kept'),
    ]);
    expect(kept).toBe(0);
    expect(readFileSync(path('kept'))).toEqual(readFileSync(file));
  });

  const repair = async (jobs: string, count: number): Promise<void> => {
    const rows = Array.from(
      { length: count },
      (_, i) => `${i},cafÃ© ${i},😀,<ED A0 BD ED B8 80>\n`,
    );
    const file = write('repair.csv', `id,name,face,pair\n${rows.join('')}`);
    const policy = ['--mojibake', 'repair'];
    const { status, stdout } = await utf8(['scan', ...csv, file, ...policy]);
    expect(status).toBe(1);
    expect(stdout.toString()).toContain(`${count} would change`);
    expect(stdout.toString()).toContain('--mojibake repair --undo');
    const [out, undo, again, back] = ['out', 'undo', 'again', 'back'].map((name) => path(name)) as [
      string,
      string,
      string,
      string,
    ];
    const convert = ['convert', '-f', 'cesu-8+utf-8', ...csv, ...policy, '--jobs', jobs];
    const { stderr } = await utf8([...convert, file, '-o', out, '--undo', undo]);
    expect(stderr).toContain(`found: pair ${count}, mojibake ${count}`);
    const text = readFileSync(out, 'utf8');
    expect(text).toBe(
      `id,name,face,pair\n${rows.map((_, i) => `${i},café ${i},😀,😀\n`).join('')}`,
    );
    await utf8([...convert, out, '-o', again]);
    expect(readFileSync(again, 'utf8')).toBe(text);
    await utf8(['revert', '--undo', undo, out, '-o', back]);
    expect(readFileSync(back)).toEqual(readFileSync(file));
  };

  it('is repaired on request, and undone', () => repair('1', 400));

  it('is repaired and undone by several threads', { tags: ['slow'] }, () => repair('4', 6000));

  it('through other encodings is shown with them, repaired and undone', async () => {
    const file = write('others.csv', 'id,name\n1,РџСЂРёРІРµС‚\n2,KrakĂłw\n3,мама\n4,caf├®\n');
    const found = await find([...csv, file]);
    expect(found.map(({ record, through }) => [record, through])).toEqual([
      [1, ['windows-1251']],
      [2, ['windows-1250']],
      [4, ['cp850']],
    ]);
    const [out, undo, back] = ['out', 'undo', 'back'].map((name) => path(name)) as [
      string,
      string,
      string,
    ];
    const convert = ['convert', '-f', 'utf-8', ...csv, '--mojibake', 'repair', file];
    await utf8([...convert, '-o', out, '--undo', undo]);
    expect(readFileSync(out, 'utf8')).toBe('id,name\n1,Привет\n2,Kraków\n3,мама\n4,café\n');
    await utf8(['revert', '--undo', undo, out, '-o', back]);
    expect(readFileSync(back)).toEqual(readFileSync(file));
  });

  it('needs values', async () => {
    const { status, stderr } = await utf8(['convert', '-f', 'utf-8', '--mojibake', 'repair'], 'x');
    const sentence = '-: its format is not recognised; specify it with --format';
    expect([status, stderr]).toEqual([2, `utf8: ${sentence}\n`]);
  });
});

describe('legacy bytes', () => {
  it('are decided by the value', async () => {
    const file = write('legacy.csv', 'name\ncaf<E9>\né <E9> a\n<E2 82>\n');
    expect(
      (await find([...csv, file, '--errors', 'windows-1252'])).map(({ kind, becomes }) => [
        kind,
        becomes,
      ]),
    ).toEqual([
      ['legacy-byte', 'C3 A9'],
      ['legacy-byte', 'C3 A9'],
      ['other', null],
    ]);
  });
});

it('a byte that is not a character of the legacy encoding is refused', async () => {
  // Latin-1 that was changed to small letters byte by byte: ã and 81.
  const file = write('lower.csv', 'id,city\n1,Mayag<FC>ez\n3,mayag<E3 9C>ez\n4,<E3 81>uelas\n');
  const convert = ['convert', '-f', 'utf-8', ...csv, file, '--errors'];
  const { status, stdout, stderr } = await utf8([...convert, 'windows-1252']);
  expect([status, stdout.toString()]).toEqual([1, expect.not.stringContaining('\u0081')]);
  expect(stderr).toContain('legacy-byte');
  // The refused encoding is not recommended again.
  expect(stderr).toContain('--errors escape');
  const text = await utf8(['convert', '-f', 'utf-8', file, '--errors', 'cp1252']);
  expect([text.status, text.stderr]).toEqual([1, expect.stringContaining('E3 81')]);
  const cyrillic = await utf8(['convert', '-f', 'utf-8', file, '--errors', 'CP1251']);
  expect([cyrillic.status, cyrillic.stderr]).toEqual([
    0,
    expect.stringContaining('decoded as Windows-1251 3 malformed characters'),
  ]);
});

describe('what a repair would break', () => {
  const broken = async (args: readonly string[]): Promise<Record<string, unknown>[]> =>
    (await find(args)).filter(({ kind }) => kind !== 'pair' && kind !== 'unpaired-surrogate');

  it('keys that become equal, with the record that has it', async () => {
    const file = write(
      'equal.csv',
      'id,name\n1,a<ED A0 BD ED B8 80>\n2,b\n3,a😀\n4,a<ED A0 BD ED B8 80>\n',
    );
    const becomes = { name: 'a😀' };
    const other = { file, record: 3, line: 4, key: becomes };
    const equal = { column: 'name', key: becomes, kind: 'equal-keys', becomes, other };
    expect(await broken([...csv, file, '--key', 'name'])).toEqual([
      { record: 1, line: 2, offset: 10, ...equal },
      { record: 4, line: 5, offset: 32, ...equal },
    ]);
  });

  it('not those that were equal before, or that are rejected, or have another column', async () => {
    const file = write(
      'unequal.csv',
      `id,name,note\n1,a<ED A0 BD ED B8 80>,\n1,a<ED A0 BD ED B8 80>,\n2,a😀,\n3,b<ED A0 BD ED B8 80>,<FF>\n3,b😀,\n`,
    );
    expect((await broken([...csv, file, '--key', 'id,name'])).map(({ kind }) => kind)).toEqual([
      'legacy-byte',
    ]);
  });

  it('keys made equal by a policy', async () => {
    const file = write('nul.csv', 'name\na<00>b\nab\n');
    expect(await broken([...csv, file, '--key', 'name', '--nul', 'remove'])).toMatchObject([
      { kind: 'nul' },
      { kind: 'equal-keys', record: 1, other: { record: 2 } },
    ]);
  });

  it('keys across files, but none with a NULL in it', async () => {
    const one = write('one.copy', 'a<ED A0 BD ED B8 80>\tx\nb<ED A0 BD ED B8 80>\t\\N\n');
    const two = write('two.copy', 'a😀\tx\nb😀\t\\N\n');
    const found = await broken(['--format', 'copy', one, two, '--key', '1,2']);
    expect(found).toMatchObject([
      { kind: 'equal-keys', record: 1, other: { file: two, record: 1 } },
    ]);
    expect(found).toHaveLength(1);
  });

  it('keys by table, of dumps', async () => {
    const file = write(
      'tables.sql',
      "SET NAMES utf8mb4;\nINSERT INTO a (id) VALUES ('<ED A0 BD ED B8 80>'),('😀');\nINSERT INTO b (id) VALUES ('😀');\n",
    );
    const dump = ['--format', 'mysqldump', '--assume', 'text', file];
    const found = [
      { table: 'a', column: 'id', kind: 'equal-keys', record: 1, other: { record: 2 } },
    ];
    expect(await broken([...dump, '--key', 'id'])).toMatchObject(found);
    expect(await broken([...dump, '--key', 'a.id'])).toMatchObject(found);
    expect(await broken([...dump, '--key', 'b.id'])).toEqual([]);
    const { stdout } = await utf8(['scan', ...dump]);
    expect(stdout.toString()).toContain('\npair 1: a.id 1\n');
  });

  it('order that changes between neighbours', async () => {
    const file = write('order.csv', 'name\na\n<ED A0 BD ED B8 80>\n\uFF01\nz\uFF01\n');
    expect(await broken([...csv, file, '--key', 'name'])).toEqual([
      {
        record: 3,
        line: 4,
        column: 'name',
        key: { name: '\uFF01' },
        offset: 14,
        kind: 'order',
        other: { file, record: 2, line: 3, key: { name: '😀' } },
        before: 'greater',
        after: 'less',
      },
    ]);
  });

  it('text over a limit, as it is and as it would be', async () => {
    const file = write(
      'limit.csv',
      'id,name\n1,abcdef\n2,<ED A0 BD>bc\n3,"a""bcd"\n4,<ED A0 BD ED B8 80>\n',
    );
    const args = [
      ...csv,
      file,
      '--unpaired-surrogates',
      'escape',
      '--limit',
      'name=5b',
      '--limit',
      'name=5c',
    ];
    const found = await broken([...args, '--key', 'id']);
    expect(found.map(({ record, limit, before, after }) => [record, limit, before, after])).toEqual(
      [
        [1, '5b', 6, 6],
        [1, '5c', 6, 6],
        [2, '5b', 5, 8],
        [2, '5c', 3, 8],
      ],
    );
    expect(found[0]).toMatchObject({ key: { id: '1' }, column: 'name', offset: 10, line: 2 });
  });

  it('lengths that become wrong, and what they become', async () => {
    const file = write(
      'php',
      's:6:"<ED A0 BD ED B8 80>";\na:1:{i:0;s:6:"<ED A0 BD ED B8 80>"\nx|s:5:"<ED A0 BD ED B8 80>";\n',
    );
    expect(await broken(['--format', 'lines', file])).toMatchObject([
      { kind: 'inner-length', offset: 0, bytes: '73 3A 36 3A', becomes: '73 3A 34 3A' },
      { kind: 'inner-length', offset: 23, becomes: null },
      { kind: 'inner-length', offset: 38, becomes: null, isAlreadyWrong: true },
    ]);
    const { stdout } = await utf8(['scan', '--format', 'lines', file]);
    expect(
      stdout
        .toString()
        .split('\n')
        .filter((line) => / s:\d/.test(line)),
    ).toEqual([
      `  ${file}:1: column 1 (record 1): offset 0: s:6: becomes s:4:`,
      `  ${file}:2: column 1 (record 2): offset 23: s:6: would be wrong, and cannot be counted again`,
      `  ${file}:3: column 1 (record 3): offset 38: s:5: is wrong already, and cannot be counted again`,
    ]);
  });

  it('lengths, which the next command changes as announced', async () => {
    const file = write(
      'next.csv',
      'id,value\n1,"s:6:""<ED A0 BD ED B8 80>"";"\n2,s:6:"<ED A0 BD ED B8 80>\n',
    );
    const cwd = path('.');
    const { stdout } = await utf8(['scan', ...csv, file]);
    expect(stdout.toString()).toContain('2 records: 1 would change, 1 would be rejected');
    const next = /^Next: utf8 (.*)$/m.exec(stdout.toString())?.[1] ?? '';
    const { status } = await utf8(next.split(' '), '', { cwd });
    expect(status).toBe(1);
    expect(readFileSync(path('next.utf-8.csv'), 'utf8')).toBe('id,value\n1,"s:4:""😀"";"\n');
    expect(readFileSync(path('next.rejects.csv')).toString()).toContain('\n2,s:6:"');
  });

  it('characters in planes that have none', async () => {
    const file = write(
      'planes',
      '<ED A3 80 ED B0 80 ED A1 80 ED B0 80 ED AC 80 ED B0 80>\n<ED AD 80 ED B0 80 ED AE 80 ED B0 80>\n',
    );
    const found = await broken(['--format', 'lines', file]);
    expect(found.map(({ bytes, character, offset }) => [bytes, character, offset])).toEqual([
      ['ED A3 80 ED B0 80', 'U+40000', 0],
      ['ED AC 80 ED B0 80', 'U+D0000', 12],
    ]);
  });

  it('sorts many keys in temporary files, and leaves none', { tags: ['slow'] }, async () => {
    const rows = Array.from(
      { length: 5000 },
      (_, i) => `${'k'.repeat(2000)}${i}<ED A0 BD ED B8 80>\n`,
    );
    const args = ['scan', '--format', 'lines', write('spill', rows.join('')), '--key', '1'];
    mkdirSync(path('tmp'));
    const { status } = await utf8(args, '', { env: plainEnv({ TMPDIR: path('tmp') }) });
    expect(status).toBe(1);
    expect(readdirSync(path('tmp'))).toEqual([]);
    const nowhere = await utf8(args, '', { env: plainEnv({ TMPDIR: path('nowhere') }) });
    expect([nowhere.status, nowhere.stderr]).toEqual([
      3,
      `utf8: ${path('nowhere')}: no such file; check the name\n`,
    ]);
  });

  it('removes them when a signal stops it', { tags: ['slow'] }, async () => {
    const folder = path('stopped');
    mkdirSync(folder);
    const args = ['scan', '--format', 'lines', path('spill'), '--key', '1'];
    const child = start(args, { env: plainEnv({ TMPDIR: folder }) });
    const watcher = watch(folder);
    watcher.once('change', () => child.kill('SIGTERM'));
    const { signal } = await finish(child);
    watcher.close();
    expect([signal, readdirSync(folder)]).toEqual(['SIGTERM', []]);
  });
});
