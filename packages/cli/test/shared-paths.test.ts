import {
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { choose } from '../../../tooling/tiers/tier.js';
import { finish, start } from './built.js';
import { hex, useFolder, utf8 } from './command.js';

const path = useFolder();

/** Two files, by what a command line says of them. */
type Slot =
  | 'input'
  | 'undo log'
  | '-o'
  | '--rejects'
  | '--undo'
  | '--stats'
  | '--report'
  | '--index';

/** Command lines, with the files that each names. */
const commands: Readonly<Record<string, { slots: readonly Slot[]; args(of: Paths): string[] }>> = {
  'convert --format': {
    slots: ['input', '-o', '--rejects', '--undo', '--stats', '--index'],
    args: (of) => [
      ...['convert', of('input'), '--from', 'cesu-8+utf-8', '--format', 'lines', '-o', of('-o')],
      ...['--rejects', of('--rejects'), '--undo', of('--undo'), '--stats', of('--stats')],
      ...['--range', '0-', '--index', of('--index')],
    ],
  },
  convert: {
    slots: ['input', '-o', '--undo', '--stats'],
    args: (of) => [
      ...['convert', of('input'), '--from', 'cesu-8+utf-8', '-o', of('-o')],
      ...['--undo', of('--undo'), '--stats', of('--stats')],
    ],
  },
  scan: {
    slots: ['input', '--report', '--index'],
    args: (of) => [
      ...['scan', '--format', 'lines', of('input')],
      ...['--report', of('--report'), '--index', of('--index')],
    ],
  },
  revert: {
    slots: ['input', 'undo log', '-o'],
    args: (of) => ['revert', of('input'), '--undo', of('undo log'), '-o', of('-o')],
  },
};

type Paths = (slot: Slot) => string;

/** Ways to name the file of another path; each gets the folder and the path, and returns a second one. */
const aliases: Readonly<Record<string, (at: string, name: string, exists: boolean) => string>> = {
  name: (_, name) => name,
  './': (_, name) => `./${name}`,
  'a way round': (at, name) => `${relative(at, at) || '.'}/sub/../${name}`,
  'a symbolic link': (at, name) => {
    symlinkSync(name, join(at, 'link'));
    return 'link';
  },
  'a chain of links': (at, name) => {
    symlinkSync(`../${name}`, join(at, 'sub/link'));
    symlinkSync('sub/link', join(at, 'link'));
    return 'link';
  },
  'a linked folder': (at, name) => {
    symlinkSync('.', join(at, 'folder'));
    return `folder/${name}`;
  },
  'a hard link': (at, name, exists) => {
    if (!exists) return name;
    linkSync(join(at, name), join(at, 'link'));
    return 'link';
  },
};

/** Everything in a folder, to see that nothing was written. */
function list(at: string): Record<string, string> {
  const names = readdirSync(at, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('folder'),
  );
  return Object.fromEntries(
    names.map((name) => {
      const stats = lstatSync(join(at, name));
      if (stats.isSymbolicLink()) return [name, `→ ${readlinkSync(join(at, name))}`];
      return [name, stats.isFile() ? readFileSync(join(at, name), 'latin1') : 'folder'];
    }),
  );
}

const cases = Object.entries(commands).flatMap(([name, { slots, args }]) =>
  slots.flatMap((one, i) =>
    slots
      .slice(i + 1)
      .flatMap((other) => Object.keys(aliases).map((alias) => ({ name, args, one, other, alias }))),
  ),
);

let number = 0;

function prepare(): string {
  const at = path(`case${number++}`);
  mkdirSync(join(at, 'sub'), { recursive: true });
  writeFileSync(join(at, 'in'), hex('41 ED A0 BD ED B8 80 0A'));
  writeFileSync(join(at, 'log'), '{"undo":1}\n');
  return at;
}

describe.runIf(process.platform !== 'win32')('two paths of one file', () => {
  // An input may be read twice.
  const writing = cases.filter(({ one, other }) => !(one === 'input' && other === 'undo log'));

  it.each(choose(writing, 60))(
    '$name: $one and $other by $alias',
    async ({ args, one, other, alias }) => {
      const isRead = one === 'input' || one === 'undo log';
      for (const exists of isRead ? [true] : [false, true]) {
        const at = prepare();
        const names: Partial<Record<Slot, string>> = { input: 'in', 'undo log': 'log' };
        const first = names[one] ?? 'shared';
        if (exists && !isRead) writeFileSync(join(at, first), 'before');
        names[one] = first;
        names[other] = (aliases[alias] as (typeof aliases)[string])(at, first, exists);
        const before = list(at);
        const words = args((slot) => names[slot] ?? `new${slot}`);
        const { status, stdout, stderr } = await utf8(words, '', { cwd: at });
        expect([status, stdout.length, stderr]).toEqual([
          2,
          0,
          expect.stringMatching(/^utf8: [^\n]+\n$/),
        ]);
        expect(list(at)).toEqual(before);
        rmSync(at, { recursive: true });
      }
    },
  );
});

describe.runIf(process.platform === 'linux')('devices', () => {
  const base = ['convert', 'in', '--from', 'cesu-8+utf-8', '--format', 'lines'];

  it.each([
    [['-o', '/dev/stdout', '--undo', '/dev/stdout']],
    [['-o', '/dev/stdout', '--rejects', '/dev/fd/1']],
    [['--stats', '/dev/stdout']],
    [['--undo', '/proc/self/fd/1']],
    [['-o', '/dev/null', '--undo', '/dev/null']],
  ])('%j are refused', async (more) => {
    const at = prepare();
    const before = list(at);
    const { status, stdout } = await utf8([...base, ...more], '', { cwd: at });
    expect([status, stdout.length]).toEqual([2, 0]);
    expect(list(at)).toEqual(before);
  });

  it.each([
    ['the input', 'in', []],
    ['the output', 'out', ['-o', 'out']],
    ['the rejects', 'rejects', ['--rejects', 'rejects']],
  ])('stdout that goes to %s is refused', async (_, name, more) => {
    const at = prepare();
    writeFileSync(join(at, 'out'), 'before');
    writeFileSync(join(at, 'rejects'), 'before');
    const before = list(at);
    const stdout = openSync(join(at, name), 'a');
    const words = name === 'out' ? [...base, ...more, '--stats', '-'] : [...base, ...more];
    const child = start(words, { cwd: at, stdio: ['pipe', stdout, 'pipe'] });
    const { status, stderr } = await finish(child);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^utf8: [^\n]+\n$/)]);
    expect(list(at)).toEqual(before);
  });

  it('a checkpoint that is another output is refused', async () => {
    const at = prepare();
    const words = [...base, '-o', 'out', '--undo', '.out.utf8-checkpoint'];
    const { status } = await utf8(words, '', { cwd: at });
    expect(status).toBe(2);
    expect(readdirSync(at).sort()).toEqual(['in', 'log', 'sub']);
  });
});
