import { once } from 'node:events';
import { chmodSync, mkdirSync, openSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { readStrings } from '@utf8/classfile';
import { describe, expect, it } from 'vitest';
import { choose, scale } from '../../../tooling/tiers/tier.js';
import { type Item, zip } from '../../classfile/test/zip.js';
import { finish, start } from './built.js';
import { makeClass } from './class.js';
import { hex, useFolder, utf8 } from './command.js';

const path = useFolder();
const isLinux = process.platform === 'linux';

const write = (name: string, bytes: Uint8Array): string => {
  writeFileSync(path(name), bytes);
  return path(name);
};

const good = makeClass('Good', ['good']);
const cut = good.subarray(0, -1);
/** Returns the error that a function throws. */
function catchError(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

const LITERALS = ['strings', '--kind', 'literal'];

/** An archive with a thousand strings in each class. */
const items = function* (count = 60): Generator<Item> {
  const literals = Array.from({ length: 1000 }, (_, i) => `a string of some length, number ${i}`);
  const bytes = makeClass('Many', literals);
  for (let i = 0; i < count; i++) yield { name: `${i}.class`, bytes };
};

describe('malformed input ends with 1, one sentence each, and the rest is listed', () => {
  it('strings', async () => {
    const bytes = makeClass('A', ['before', hex('41 ED A0 FF 5C F0 9F 98 80 00'), 'behind']);
    const { status, stdout, stderr } = await utf8(LITERALS, bytes);
    expect([status, stderr]).toEqual([
      1,
      'utf8: -#7@54: offset 55: truncated: ED A0 (and 6 more)\n',
    ]);
    expect(stdout.toString()).toBe(`-#5@42\tliteral\tbefore
-#7@54\tliteral\tA\\xED\\xA0\\xFF\\\\\\xF0\\x9F\\x98\\x80\\x00
-#9@70\tliteral\tbehind
`);
  });

  it('strings that are not listed, too', async () => {
    const { status, stdout, stderr } = await utf8(
      ['strings', '--kind', 'attribute'],
      makeClass('A', [hex('FF')]),
    );
    expect([status, stdout.length, stderr]).toEqual([
      1,
      0,
      'utf8: -#5@42: offset 42: invalid-lead: FF\n',
    ]);
  });

  it('overlong strings of a new class, with what is well-formed around them', async () => {
    const bytes = makeClass('A', [hex('C3 A9 C1 81 ED A0 BD ED B8 80')], 48);
    const { stdout, stderr } = await utf8(LITERALS, bytes);
    expect(stdout.toString()).toBe('-#5@42\tliteral\té\\xC1\\x81😀\n');
    expect(stderr).toBe('utf8: -#5@42: offset 44: overlong: C1 (and 1 more)\n');
  });

  it('classes, alone, in archives and in folders', async () => {
    mkdirSync(path('mixed'));
    // The words are the library's.
    const { message } = catchError(() => [...readStrings(cut)]);
    expect(message).toMatch(/^Malformed class file at byte \d+: .*\.$/);
    const sentence = `m${message.slice(1, -1)}; get a complete copy of it, or add --lenient`;
    const jar = write(
      'mixed/b.jar',
      zip([
        { name: 'Cut\n.class', bytes: cut },
        { name: 'Good.class', bytes: good },
        { name: 'Damaged.class', bytes: good, claims: { crc: 1 } },
        { name: 'Last.class', bytes: good },
      ]),
    );
    const alone = write('mixed/a.class', cut);
    write('mixed/c.class', good);
    const empty = write('mixed/d.class', new Uint8Array());
    const { status, stdout, stderr } = await utf8([...LITERALS, path('mixed')]);
    expect(status).toBe(1);
    expect(stdout.toString()).toBe(`${jar}!/Good.class#5@45\tliteral\tgood
${jar}!/Last.class#5@45\tliteral\tgood
${path('mixed/c.class')}#5@45\tliteral\tgood
`);
    expect(stderr.split('\n')).toEqual([
      `utf8: ${alone}: ${sentence}`,
      `utf8: ${jar}!/Cut\\n.class: ${sentence}`,
      expect.stringMatching(
        /!\/Damaged\.class: is damaged: its CRC-32 is [0-9A-F]{8}, but should be 00000001; /,
      ),
      `utf8: ${empty}: is neither a class file nor an archive; use a .class, .jar, .jmod, .dex or the like, or a folder`,
      '',
    ]);
  });

  it('archives, as far as they can be read', async () => {
    const whole = zip([{ name: 'Good.class', bytes: good }]);
    const short = write('short.jar', whole.subarray(0, -5));
    const more = write('more.jar', zip([{ name: 'Good.class', bytes: good }], { count: 2 }));
    const { status, stdout, stderr } = await utf8([...LITERALS, short, more]);
    expect(status).toBe(1);
    expect(stdout.toString()).toBe(`${more}!/Good.class#5@45\tliteral\tgood\n`);
    expect(
      stderr,
    ).toBe(`utf8: ${short}: is not a zip archive, or is truncated: the directory at its end is missing; get a complete copy of it
utf8: ${more}: the number of entries is 1 in its directory, but 2 in its end record; create it again
`);
  });

  it.each([
    [
      'a text',
      'text',
      'is neither a class file nor an archive; use a .class, .jar, .jmod, .dex or the like, or a folder',
    ],
    [
      'a jimage',
      '\xda\xda\xfe\xca',
      'is a jimage, all modules of a JDK in one file; use a .jmod, or the output of jimage extract',
    ],
    [
      'a jimage of another machine',
      '\xca\xfe\xda\xda',
      'is a jimage, all modules of a JDK in one file; use a .jmod, or the output of jimage extract',
    ],
  ])('what is named and is %s', async (_, text, sentence) => {
    const bytes = Buffer.from(text, 'latin1');
    const file = write('something', bytes);
    const result = await utf8(['strings', file, '-'], bytes);
    expect([result.status, result.stdout.length]).toEqual([1, 0]);
    expect(result.stderr).toBe(`utf8: ${file}: ${sentence}\nutf8: -: ${sentence}\n`);
  });

  it('an archive that inflates to too much', async () => {
    const bytes = Buffer.alloc(60 << 20);
    const data = deflateRawSync(bytes);
    const file = write(
      'bomb.jar',
      zip([0, 1, 2, 3, 4].map((i) => ({ name: `${i}.class`, bytes, data }))),
    );
    const { status, stderr } = await utf8(['strings', file]);
    expect(status).toBe(1);
    const sentences = stderr.trimEnd().split('\n');
    expect(sentences).toHaveLength(5);
    expect(sentences[4]).toBe(
      `utf8: ${file}!/4.class: with it the file inflates to more than 268435456 bytes, which maxRatio allows for its size; unpack it if you trust it`,
    );
  });
});

describe('what cannot be read ends with 3, and the rest is listed', () => {
  it('a missing file', async () => {
    const file = write('Good.class', good);
    const { status, stdout, stderr } = await utf8([...LITERALS, path('missing'), file]);
    expect([status, stdout.toString()]).toEqual([3, `${file}#5@45\tliteral\tgood\n`]);
    expect(stderr).toBe(`utf8: ${path('missing')}: no such file; check the name\n`);
  });

  it('even where something is malformed, too', async () => {
    const { status } = await utf8(['strings', path('missing'), write('cut.class', cut)]);
    expect(status).toBe(3);
  });

  it('a folder as stdin', async () => {
    const stdin = openSync(path('.'), 'r');
    const { status, stderr } = await finish(start(['strings'], { stdio: [stdin, 'pipe', 'pipe'] }));
    expect([status, stderr]).toEqual([3, 'utf8: -: is a directory; specify the files in it\n']);
  });

  it('an archive as stdin, from a pipe or a file', async () => {
    const bytes = zip([{ name: 'Good.class', bytes: good }]);
    const sentence =
      'utf8: -: is an archive, which cannot be read from a pipe; save it to a file first\n';
    const piped = await utf8(['strings'], bytes);
    expect([piped.status, piped.stdout.length, piped.stderr]).toEqual([3, 0, sentence]);
    const stdin = openSync(write('stdin.jar', bytes), 'r');
    const read = await finish(start(['strings'], { stdio: [stdin, 'pipe', 'pipe'] }));
    expect([read.status, read.stderr]).toEqual([3, sentence]);
  });

  it.runIf(process.platform !== 'win32')('files and folders without permission', async () => {
    mkdirSync(path('locked/folder'), { recursive: true });
    const file = write('locked/secret.jar', zip([]));
    const last = write('locked/z.class', good);
    chmodSync(file, 0o000);
    chmodSync(path('locked/folder'), 0o000);
    chmodSync(dirname(path('locked')), 0o755);
    const result = await utf8([...LITERALS, path('locked')], '', { isNobody: true });
    chmodSync(path('locked/folder'), 0o700);
    const advice = 'permission denied; change its permissions, or run as a user with access';
    expect([result.status, result.stdout.toString(), result.stderr]).toEqual([
      3,
      `${last}#5@45\tliteral\tgood\n`,
      `utf8: ${path('locked/folder')}: ${advice}\nutf8: ${file}: ${advice}\n`,
    ]);
  });

  it.runIf(isLinux)('a file that fails while it is read', async () => {
    const { status, stderr } = await utf8(['strings', '/proc/self/mem']);
    expect([status, stderr]).toEqual([
      3,
      'utf8: /proc/self/mem: input/output error; check the device\n',
    ]);
  });

  it('a class that does not end', async () => {
    const zeros = function* (): Generator<Buffer> {
      yield hex('CAFEBABE 0000003D');
      for (;;) yield Buffer.alloc(1 << 20);
    };
    const { status, stderr } = await utf8(['strings'], zeros());
    expect([status, stderr]).toEqual([3, 'utf8: -: exceeds 67108864 bytes; is it a class?\n']);
  });
});

it('stdin can be read only once', async () => {
  const { status, stderr } = await utf8(['strings', '-', '-']);
  expect([status, stderr]).toEqual([
    2,
    'utf8: stdin can be read only once; use - once; see utf8 strings --help\n',
  ]);
});

it.runIf(isLinux)('a full disk ends with 3 and one sentence', async () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = await finish(
    start(['strings'], { stdio: ['pipe', full, 'pipe'] }),
    good,
  );
  const sentence = 'no space left on the device; free some space, or write elsewhere';
  expect([status, stderr]).toEqual([3, `utf8: stdout: ${sentence}\n`]);
});

it('an archive that changes while it is read ends with 3', async () => {
  const file = write('changed.jar', zip(items()));
  const child = start(['strings', file]);
  child.stdout?.once('data', () => utimesSync(file, 0, 0));
  const { status, stderr } = await finish(child);
  expect([status, stderr.replace(file, 'changed.jar')]).toEqual([
    3,
    'utf8: changed.jar: changed while it was read; run again when no program writes to it\n',
  ]);
});

it('a reader that has seen enough ends the run quietly with 0', async () => {
  const child = start(['strings', write('many.jar', zip(items()))]);
  child.stdout?.once('data', () => child.stdout?.destroy());
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const [status] = await once(child, 'close');
  expect([status, stderr]).toEqual([0, '']);
});

it.runIf(process.platform !== 'win32').each(choose(['SIGINT', 'SIGTERM'] as const, scale(10)))(
  '%s ends the run at once',
  async (signal) => {
    const child = start(['strings', write('many.jar', zip(items()))]);
    child.stdout?.once('data', () => {
      child.stdout?.pause();
      child.kill(signal);
      child.stdout?.resume();
    });
    expect(await finish(child)).toMatchObject({ signal, stderr: '' });
  },
);

it('memory stays constant over a large archive', { tags: ['night'] }, async () => {
  const file = write('many.jar', zip(items(300)));
  writeFileSync(
    path('report.mjs'),
    `process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS * 1024)));`,
  );
  const child = start(['strings', '--json', ...Array(5).fill(file)], {
    env: { ...process.env, NODE_OPTIONS: `--import ${path('report.mjs')}` },
  });
  let written = 0;
  let peak = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    written += chunk.length;
  });
  child.stderr?.on('data', (chunk) => {
    peak += chunk;
  });
  const [status] = await once(child, 'close');
  expect(status).toBe(0);
  expect(written).toBeGreaterThan(200 << 20);
  expect(Number(peak)).toBeGreaterThan(1 << 20);
  expect(Number(peak)).toBeLessThan(200 << 20);
  expect(readFileSync(file).length).toBeLessThan(10 << 20);
});
