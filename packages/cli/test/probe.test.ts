/** `utf8 probe` as a user runs it, against programs that are well-behaved and such that are not. */
import { execFileSync } from 'node:child_process';
import { chmodSync, createReadStream, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import '../src/command/probe.js';
import { runBuilt } from './built.js';
import { useFolder, utf8 } from './command.js';

const path = useFolder();

/** Writes a program for Node that answers lines. */
function writeReader(name: string, body: string): string[] {
  const file = path(name);
  writeFileSync(
    file,
    `const good = (bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
     const strict = (bytes) => new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes);
     ${body}
     if (process.argv[2] === '--lines') {
       require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
         let text;
         try { text = read(Buffer.from(line, 'hex')); } catch {}
         console.log(text === undefined ? '-' : Buffer.from(text, 'ENCODING').toString('hex'));
       });
     } else {
       const text = read(require('node:fs').readFileSync(0));
       process.stdout.write(Buffer.from(text));
     }`.replace('ENCODING', body.includes('utf16') ? 'utf16le' : 'utf8'),
  );
  return [process.execPath, file];
}

/** Folders of inputs. */
const list = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('utf8-probe-'));

const lines = async (args: readonly string[], command: readonly string[]) => {
  const { status, stdout, stderr } = await utf8(
    ['probe', '--lines', ...args, '--', ...command, '--lines'],
    '',
  );
  return { status, stdout: stdout.toString(), stderr };
};

describe('a good reader', () => {
  const command = writeReader.bind(undefined, 'good.cjs', 'const read = good;');

  let result: Awaited<ReturnType<typeof lines>>;
  beforeAll(async () => {
    result = await lines(['--as', 'utf-8'], command());
  });

  it('is named, with its practice, its likes, and exit code 0', () => {
    const { status, stdout, stderr } = result;
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^\S.* --lines: UTF-8\n/);
    expect(stdout).toContain('one for each maximal subpart');
    expect(stdout).toContain('keeps it at the start');
    expect(stdout).toMatch(/like {7}Python [\s\S]*Rust [\s\S]*Buffer.toString/);
    expect(status).toBe(0);
  });

  it('has a report in JSON', { tags: ['slow'] }, async () => {
    const { status, stdout } = await lines(['--json', '--practice', 'per-byte'], command());
    const report = JSON.parse(stdout);
    expect(Object.keys(report)).toEqual([
      'type',
      'command',
      'format',
      'variant',
      'name',
      'reference',
      'isExact',
      'isEcho',
      'malformed',
      'bom',
      'ending',
      'notes',
      'deviations',
      'resembles',
      'fingerprint',
      'vectors',
      'inputs',
      'failures',
    ]);
    expect(report).toMatchObject({
      format: 1,
      variant: 'utf-8',
      isExact: true,
      malformed: { mode: 'replaces', practice: 'maximal-subparts' },
      failures: ['counts U+FFFD as maximal-subparts, not per-byte'],
    });
    expect(report.vectors.find(({ id }: { id: string }) => id === 'surrogate/high').text).toEqual([
      0xfffd, 0xfffd, 0xfffd,
    ]);
    expect(status).toBe(1);
  });

  it('may print UTF-16', { tags: ['slow'] }, async () => {
    const reader = writeReader('utf16.cjs', 'const read = good; // utf16');
    const { status, stdout } = await lines(['--prints', 'utf-16le', '--as', 'utf-8'], reader);
    expect(stdout).toContain('UTF-8\n');
    expect(status).toBe(0);
  });

  it('may print JSON, and a line feed after it', { tags: ['slow'] }, async () => {
    const reader = writeReader(
      'json.cjs',
      "const read = (bytes) => JSON.stringify(good(bytes)) + '\\n';",
    );
    const { status, stdout } = await lines(['--prints', 'json', '--as', 'utf-8'], reader);
    expect(stdout).toContain('UTF-8\n');
    expect(status).toBe(0);
  });

  it('is not what it is not', { tags: ['slow'] }, async () => {
    const { status, stdout } = await lines(['--as', 'cesu-8', '--max', '1'], command());
    expect(stdout).toContain('UTF-8; as cesu-8, it has ');
    expect(stdout).toContain('fails: reads utf-8, not cesu-8\n');
    expect(stdout).toContain('fails: accepts four-byte sequences\n');
    expect(status).toBe(1);
  });
});

describe('a faulty reader', () => {
  it('is shown with bytes, what is expected, and the risk', { tags: ['slow'] }, async () => {
    const body = `const read = (bytes) => {
      const at = bytes.indexOf('c0af', 0, 'hex');
      return at < 0 ? good(bytes) : read(bytes.subarray(0, at)) + '/' + read(bytes.subarray(at + 2));
    };`;
    const { status, stdout } = await lines(['--as', 'utf-8'], writeReader('slash.cjs', body));
    expect(stdout).toContain('attack/slash: 2E 2E C0 AF: expected . . U+FFFD U+FFFD; got . . /');
    expect(stdout).toContain('risk: ');
    expect(status).toBe(1);
  });

  it('that keeps state between inputs is found out', { tags: ['slow'] }, async () => {
    const body = `const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      const read = (bytes) => decoder.decode(bytes, { stream: true });`;
    const { stdout } = await lines([], writeReader('state.cjs', body));
    expect(stdout).toContain('reads an input differently after other inputs');
  });

  it('that loses what packets divide is found out', { tags: ['slow'] }, async () => {
    // Perl starts in few milliseconds; sysread returns what has arrived.
    const body =
      'use Encode; binmode STDIN; $|=1; while (sysread STDIN, $b, 65536) { print encode("UTF-8", decode("UTF-8", $b)) }';
    const { status, stdout } = await utf8(['probe', '--as', 'utf-8', '--', 'perl', '-e', body]);
    expect(stdout.toString()).toContain('reads a sequence differently if it arrives in two parts');
    expect(status).toBe(1);
  });
});

// They are programs of POSIX, which a bare machine need not have.
describe('a program that is no reader', { tags: ['slow'] }, () => {
  const fails = async (args: readonly string[], message: string | RegExp) => {
    const { status, stdout, stderr } = await utf8(['probe', ...args]);
    expect(stderr).toMatch(message);
    expect(stderr.split('\n')).toHaveLength(2);
    expect(stdout.toString()).toBe('');
    expect(status).toBe(3);
  };

  it('is an echo', { tags: ['night'] }, async () => {
    const { status, stdout } = await utf8(['probe', '--', 'cat']);
    expect(stdout.toString()).toContain('cat: returns its input unchanged: it decodes nothing\n');
    expect(status).toBe(1);
  });

  it('does not exist', () =>
    fails(
      ['--', 'no-such-program'],
      'utf8: no-such-program: cannot be started (ENOENT); check the name and PATH\n',
    ));
  it('is a file of this folder, named without it', async () => {
    writeFileSync(path('reader.sh'), 'cat');
    const { stderr } = await utf8(['probe', '--', 'reader.sh'], '', { cwd: path('.') });
    expect(stderr).toBe(
      'utf8: reader.sh: cannot be started (ENOENT); for the file in this folder, use: ./reader.sh\n',
    );
  });
  it('is a line of a shell', () =>
    fails(['--', 'cat | cat'], /cannot be started \(ENOENT\); for shell syntax, use: sh -c/));
  it('cannot be executed', async () => {
    writeFileSync(path('plain'), '');
    chmodSync(path('plain'), 0o644);
    await fails(['--', path('plain')], /cannot be started \(EACCES\)/);
  });
  it('hangs', () => fails(['--timeout', '1', '--', 'sleep', '30'], /hangs, given "Hello, world"/));
  it('hangs, and so does what it started', () =>
    fails(['--timeout', '1', '--', 'sh', '-c', 'sleep 30 & sleep 30'], /hangs, given/));
  it('floods', () => fails(['--', 'yes'], /prints without stopping, given/));
  it('prints nothing', () => fails(['--', 'true'], /prints "", given .*--prints/));
  it('refuses all', () => fails(['--', 'false'], /refuses "Hello, world"/));
  it('crashes', () =>
    fails(['--', 'sh', '-c', 'kill -SEGV $$'], /crashes \(SIGSEGV\), given "Hello, world"/));
  it('prints a terminal sequence', () =>
    fails(['--', 'printf', '\\033[31m\\0'], /: prints "\\u001b\[31m\\u0000"/));
  it('ignores its input', () =>
    fails(
      ['--', 'echo', 'Hello, world'],
      /prints "Hello, world", given "Good morning"; it should/,
    ));
  it.each(['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'])(
    'prints %s, and does not say so',
    { tags: ['slow'] },
    (form) => fails(['--', 'iconv', '-t', form], `, given "Hello, world"; use --prints ${form}\n`),
  );
  it('prints UTF-16 after a byte order mark', { tags: ['slow'] }, () =>
    fails(
      ['--prints', 'utf-16le', '--', 'iconv', '-t', 'utf-16'],
      'prints "\\ufeffHello, world", given "Hello, world"\n',
    ),
  );
  it('prints JSON, and does not say so', () =>
    fails(['--', 'sh', '-c', 'printf \'"%s"\' "$(cat)"'], /; use --prints json\n/));
  it('prints no JSON', () =>
    fails(['--prints', 'json', '--', 'cat'], /prints no JSON string, given/));
  it('answers no lines', () => fails(['--lines', '--', 'true'], /exits without an answer, given/));
  it('answers with a line that has no end', () =>
    fails(['--lines', '--', 'cat', '/dev/zero'], /prints without stopping, given/));
  it('reads lines, and answers none', () =>
    fails(['--lines', '--timeout', '1', '--', 'sleep', '30'], /hangs, given/));
  it('answers other lines', () =>
    fails(['--lines', '--', 'yes'], /answers "y"; expected hex digits/));
  it('answers each line twice', () =>
    fails(
      ['--lines', '--', 'sh', '-c', 'while read -r a; do echo "$a"; echo "$a"; done'],
      /answers "[\da-f]+" without an input; expected one line for each/,
    ));
  it('answers a line again after the next input', () =>
    fails(
      [
        ...['--lines', '--', 'sh', '-c'],
        'read -r a; echo "$a"; while read -r b; do echo "$a"; echo "$b"; a=$b; done',
      ],
      /answers "[\da-f]+" without an input; expected one line for each/,
    ));
  it('does not read its input', () =>
    fails(['--', 'sh', '-c', 'exec <&-; echo no'], /prints "no\\n", given/));
});

describe('the command line', () => {
  it.each([
    [['probe'], 'utf8: missing program; add it after --; see utf8 probe --help\n'],
    [['probe', '--'], 'utf8: missing program; add it after --; see utf8 probe --help\n'],
    [
      ['probe', '--lines', '--', 'cat', '{}'],
      'utf8: --lines and {} cannot be combined; see utf8 probe --help\n',
    ],
  ])('%j', async (args, message) => {
    const { status, stderr } = await utf8(args);
    expect([status, stderr]).toEqual([2, message]);
  });

  it('names a file, which is gone afterwards', { tags: ['night'] }, async () => {
    const before = list();
    const { status, stdout } = await utf8([
      'probe',
      '--',
      'iconv',
      '-f',
      'UTF-8',
      '-t',
      'UTF-8',
      '{}',
    ]);
    expect(stdout.toString()).toContain(': UTF-8 (RFC 2279)\n');
    expect(status).toBe(0);
    expect(list()).toEqual(before);
  });

  it('is stopped with all that it has started, and leaves no file', {
    tags: ['slow'],
  }, async () => {
    // It ends this program's parent, and a reader of the pipe sees when the last of its processes is gone.
    execFileSync('mkfifo', [path('alive')]);
    const alive = buffer(createReadStream(path('alive')));
    const body = 'exec > "$0"; cat {} >/dev/null; sleep 60 & kill -TERM $PPID; sleep 60';
    const before = list();
    const args = ['probe', '--timeout', '60', '--', 'sh', '-c', body, path('alive')];
    expect((await runBuilt(args)).signal).toBe('SIGTERM');
    await alive;
    expect(list()).toEqual(before);
  });
});
