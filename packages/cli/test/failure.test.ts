import { once } from 'node:events';
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { choose, scale } from '../../../tooling/tiers/tier.js';
import { finish, program, start } from './built.js';
import { hex, useFolder, utf8 } from './command.js';

const path = useFolder();
const isLinux = process.platform === 'linux';
const isPosix = process.platform !== 'win32';

const commands = [
  ['convert', '--from', 'utf-8'],
  ['check', '--from', 'utf-8'],
  ['detect'],
  ['explain'],
];

describe('input that cannot be read ends with 3 and one sentence', () => {
  it.each(commands)('%s: a missing file', async (...args) => {
    const { status, stdout, stderr } = await utf8([...args, path('missing')]);
    expect([status, stdout.toString()]).toEqual([3, '']);
    expect(stderr).toBe(`utf8: ${path('missing')}: no such file; check the name\n`);
  });

  it.each(commands)('%s: a directory', async (...args) => {
    mkdirSync(path('folder'), { recursive: true });
    const { status, stderr } = await utf8([...args, path('folder')]);
    expect(status).toBe(3);
    expect(stderr).toBe(`utf8: ${path('folder')}: is a directory; specify the files in it\n`);
  });

  it.each(choose(commands, scale(10)))('%s: a directory as stdin', async (...args) => {
    mkdirSync(path('folder'), { recursive: true });
    const stdin = openSync(path('folder'), 'r');
    const { status, stderr } = await finish(start(args, { stdio: [stdin, 'pipe', 'pipe'] }));
    expect(status).toBe(3);
    expect(stderr).toBe('utf8: -: is a directory; specify the files in it\n');
  });

  it.runIf(isPosix).each(commands)('%s: a file without permission', async (...args) => {
    writeFileSync(path('secret'), 'x');
    chmodSync(path('secret'), 0o000);
    chmodSync(dirname(path('secret')), 0o755);
    const { status, stderr } = await utf8([...args, path('secret')], '', { isNobody: true });
    expect(status).toBe(3);
    expect(stderr).toMatch(/^utf8: \S+: permission denied; change its permissions, [^\n]*\n$/);
  });

  it.runIf(isLinux).each(commands)('%s: a file that fails while it is read', async (...args) => {
    const { status, stderr } = await utf8([...args, '/proc/self/mem']);
    expect(status).toBe(3);
    expect(stderr).toBe('utf8: /proc/self/mem: input/output error; check the device\n');
  });

  it('check continues with the other files', async () => {
    writeFileSync(path('faulty'), hex('FF'));
    const args = ['check', '--from', 'utf-8', path('missing'), path('faulty')];
    const { status, stdout, stderr } = await utf8(args);
    expect(status).toBe(3);
    expect(stdout.toString()).toBe(`${path('faulty')}:1:1: offset 0: invalid-lead: FF\n`);
    expect(stderr).toBe(`utf8: ${path('missing')}: no such file; check the name
utf8: 1 malformed character (invalid-lead 1) in 1 of 1 file
`);
  });

  it('detect continues with the other files', async () => {
    writeFileSync(path('fine'), 'fine');
    const args = ['detect', '--json', path('missing'), path('fine')];
    const { status, stdout, stderr } = await utf8(args);
    expect(status).toBe(3);
    expect(JSON.parse(stdout.toString()).file).toBe(path('fine'));
    expect(stderr).toBe(`utf8: ${path('missing')}: no such file; check the name\n`);
  });

  it('convert writes nothing at all', async () => {
    writeFileSync(path('fine'), 'fine');
    const args = ['convert', '--from', 'utf-8', path('fine'), path('missing')];
    expect(await utf8(args)).toMatchObject({ status: 3, stdout: hex('') });
  });
});

describe('output that cannot be written ends with 3 and one sentence', () => {
  it('-o names a directory', async () => {
    mkdirSync(path('folder'), { recursive: true });
    const { status, stderr } = await utf8(['convert', '--from', 'utf-8', '-o', path('folder')]);
    expect(status).toBe(3);
    expect(stderr).toBe(`utf8: ${path('folder')}: is a directory; specify a file in it\n`);
  });

  it('-o names a file in a folder that does not exist', async () => {
    const { status, stderr } = await utf8(['convert', '--from', 'utf-8', '-o', path('no/out')]);
    expect(status).toBe(3);
    expect(stderr).toBe(`utf8: ${path('no/out')}: its folder does not exist; create it first\n`);
  });

  it.runIf(isLinux)('the disk is full, on -o, stdout and --stats', async () => {
    const sentence = 'no space left on the device; free some space, or write elsewhere';
    const toFile = await utf8(['convert', '--from', 'utf-8', '-o', '/dev/full'], 'text');
    expect([toFile.status, toFile.stderr]).toEqual([3, `utf8: /dev/full: ${sentence}\n`]);
    const stats = ['--stats', '/dev/full', '-o', path('unmade')];
    const toStats = await utf8(['convert', '--from', 'utf-8', ...stats], 'text');
    expect([toStats.status, toStats.stderr]).toEqual([3, `utf8: /dev/full: ${sentence}\n`]);
    expect(readdirSync(path('.')).filter((name) => name.startsWith('unmade'))).toEqual([]);
    for (const args of choose(commands, scale(10))) {
      const full = openSync('/dev/full', 'w');
      const child = start(args, { stdio: ['pipe', full, 'pipe'] });
      const { status, stderr } = await finish(child, hex('41 FF'));
      expect([status, stderr.split('\n')[0]]).toEqual([3, `utf8: stdout: ${sentence}`]);
    }
  });

  it('stdout goes to the file that is read', async () => {
    writeFileSync(path('loop'), 'text\n');
    const stdout = openSync(path('loop'), 'a');
    const child = start(['convert', '--from', 'utf-8', path('loop')], {
      stdio: ['pipe', stdout, 'pipe'],
    });
    const { status, stderr } = await finish(child);
    expect(status).toBe(2);
    expect(stderr).toBe('utf8: input and output are the same file; use -o\n');
  });
});

describe('a reader that has seen enough', () => {
  const readers = [
    ['convert', '--from', 'utf-8', '--errors', 'escape'],
    ['check', '--from', 'utf-8'],
    ['explain'],
  ];

  it.each(choose(readers, scale(10)))('%s ends quietly with 0', async (...args) => {
    writeFileSync(path('long'), Buffer.alloc(1 << 21, 'some text \xff', 'latin1'));
    const child = start([...args, path('long')]);
    child.stdout?.once('data', () => child.stdout?.destroy());
    let stderr = '';
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    const [status] = await once(child, 'close');
    expect([status, stderr]).toEqual([0, '']);
  });
});

describe('what the command says about itself', () => {
  const requests = [
    ['--version'],
    ['--help'],
    ['convert', '--help'],
    ['help'],
    ['--generate', 'man'],
  ];

  it.each(choose(requests, scale(20)))(
    '%s ends quietly with 0 if its reader has gone',
    async (...args) => {
      const child = start(args);
      child.stdout?.destroy();
      const { status, stderr } = await finish(child);
      expect([status, stderr]).toEqual([0, '']);
    },
  );

  it.runIf(isLinux).each(choose(requests, scale(20)))('%s needs room', async (...args) => {
    const stdout = openSync('/dev/full', 'w');
    const { status, stderr } = await finish(start(args, { stdio: ['pipe', stdout, 'pipe'] }));
    closeSync(stdout);
    expect([status, stderr]).toEqual([3, expect.stringMatching(/^utf8: stdout: .*\n$/)]);
  });
});

it('no failure shows a stack trace', async () => {
  const { stderr } = await utf8(['convert', '--from', 'utf-8', path('missing')]);
  expect(stderr).not.toContain(' at ');
  expect(stderr).not.toContain(program);
});
