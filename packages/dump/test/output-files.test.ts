/** What becomes of the files that a run writes: all of them, or nothing. */
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { OutputError } from '../src/error.js';
import { discardUnfinished, whenInterrupted } from '../src/interrupt.js';
import { nameTemporary } from '../src/path/derived-name.js';
import { fromPath } from '../src/path/file-name.js';
import { findReplaced, openOutput, Replacement } from '../src/sink/output.js';
import { Outputs } from '../src/sink/outputs.js';
import { groupIf, hex, onlyIf, useFolder } from './use-folder.js';

const path = useFolder();
const isPosix = process.platform !== 'win32';
const isRoot = process.geteuid?.() === 0;

/** A folder with a file `out` in it. */
function prepare(name: string): (file: string) => string {
  mkdirSync(path(name));
  writeFileSync(path(`${name}/out`), 'before');
  return (file) => path(`${name}/${file}`);
}

async function write(file: string, text: string): Promise<void> {
  const output = await openOutput(file);
  try {
    await output.write(Buffer.from(text));
    await output.finish();
    output.commit();
  } finally {
    output.discard();
  }
}

describe('a file is replaced as a whole, or not at all', () => {
  it('under the name that it had, and no other', async () => {
    const at = prepare('replaced');
    await write(at('out'), 'after');
    await write(at('new'), 'new');
    expect(readFileSync(at('out'), 'utf8')).toBe('after');
    expect(readdirSync(at('.'))).toEqual(['new', 'out']);
  });

  it('is as it was where the run is discarded, or the process interrupted', async () => {
    const at = prepare('discarded');
    for (const end of [(output: { discard(): void }) => output.discard(), discardUnfinished]) {
      const output = await openOutput(at('out'));
      await output.write(Buffer.from('after'));
      expect(readdirSync(at('.'))).toHaveLength(2);
      end(output);
      output.discard();
      expect(readdirSync(at('.'))).toEqual(['out']);
      expect(readFileSync(at('out'), 'utf8')).toBe('before');
    }
  });

  it.each([1, 143, 242, 254, 255])('with a name of %i bytes', async (length) => {
    mkdirSync(path(`long${length}`));
    for (const name of ['x'.repeat(length), 'é'.repeat(length / 2) || 'y']) {
      const file = path(`long${length}/${name}`);
      await write(file, 'text');
      const outputs = await Outputs.create({ output: findReplaced(file)! }, { output: '0123abcd' });
      await outputs.write('output', Buffer.from('more'));
      await outputs.finish();
      outputs.commit();
      expect(readFileSync(file, 'utf8')).toBe('more');
    }
    expect(readdirSync(path(`long${length}`)).filter((name) => name.includes('utf8'))).toEqual([]);
  });

  onlyIf(process.platform === 'linux')('with a name that is not UTF-8', async () => {
    const at = prepare('bytes');
    const name = fromPath(Buffer.concat([Buffer.from(at('')), hex('FF 61')]));
    await write(name, 'text');
    expect(
      readdirSync(at('.'), { encoding: 'buffer' }).map((each) => each.toString('hex')),
    ).toEqual(['6f7574', 'ff61']);
  });

  onlyIf(isPosix)('through symbolic links, which stay', async () => {
    const at = prepare('linked');
    mkdirSync(at('elsewhere'));
    symlinkSync('elsewhere/link', at('link'));
    symlinkSync('target', at('elsewhere/link'));
    for (const text of ['first', 'second']) {
      await write(at('link'), text);
      expect(readlinkSync(at('link'))).toBe('elsewhere/link');
      expect(readFileSync(at('elsewhere/target'), 'utf8')).toBe(text);
    }
    expect(readdirSync(at('elsewhere'))).toEqual(['link', 'target']);
  });

  it('says what it cannot do', async () => {
    mkdirSync(path('folder'));
    await expect(openOutput(path('folder'))).rejects.toThrow(
      `${path('folder')}: is a directory; name a file in it`,
    );
    await expect(openOutput(path('no/out'))).rejects.toThrow(
      `${path('no/out')}: its folder does not exist; create it first`,
    );
    await expect(openOutput(path('x'.repeat(256)))).rejects.toThrow('the name is too long');
    await expect(openOutput(path('folder'))).rejects.toBeInstanceOf(OutputError);
  });
});

groupIf(isPosix)('the mode and the owner', () => {
  it.each([0o600, 0o644, 0o755, 0o4750])('stay: %o', async (mode) => {
    const at = prepare(`mode${mode}`);
    chmodSync(at('out'), mode);
    await write(at('out'), 'after');
    expect(statSync(at('out')).mode & 0o7777).toBe(mode);
  });

  it('are those of this user until the file is finished', async () => {
    const at = prepare('private');
    chmodSync(at('out'), 0o644);
    const output = await openOutput(at('out'));
    const name = readdirSync(at('.')).find((each) => each !== 'out') as string;
    expect(statSync(at(name)).mode & 0o7777).toBe(0o600);
    await output.finish();
    expect(statSync(at(name)).mode & 0o7777).toBe(0o644);
    output.discard();
  });

  onlyIf(isRoot)('stay where root writes for another user', async () => {
    const at = prepare('owner');
    chownSync(at('out'), 65_534, 65_534);
    chmodSync(at('out'), 0o4755);
    await write(at('out'), 'after');
    const { uid, gid, mode } = statSync(at('out'));
    expect([uid, gid, mode & 0o7777]).toEqual([65_534, 65_534, 0o4755]);
  });

  onlyIf(isRoot)('of no other file change where a link replaces a file of the run', async () => {
    for (const victim of ['temporary', 'out']) {
      const at = prepare(`led-${victim}`);
      chownSync(at('out'), 65_534, 65_534);
      writeFileSync(at('secret'), 'secret', { mode: 0o600 });
      const output = await openOutput(at('out'));
      await output.write(Buffer.from('after'));
      const temporary = readdirSync(at('.')).find((name) => /unfinished/.test(name)) as string;
      const swapped = victim === 'out' ? 'out' : temporary;
      // As the owner of the folder could do at any moment.
      const { rmSync } = await import('node:fs');
      rmSync(at(swapped));
      symlinkSync(at('secret'), at(swapped));
      await output.finish();
      output.commit();
      expect(readFileSync(at('secret'), 'utf8')).toBe('secret');
      const { uid, mode } = lstatSync(at('secret'));
      expect([uid, mode & 0o777]).toEqual([0, 0o600]);
    }
  });
});

groupIf(isPosix)('a temporary file', () => {
  const planOf = (file: string) => {
    const replaced = findReplaced(file)!;
    return { replaced, token: '0123abcd', temporary: nameTemporary(replaced.target, '0123abcd') };
  };

  it.each<[string, (temporary: string, secret: string) => void]>([
    ['a link', (temporary, secret) => symlinkSync(secret, temporary)],
    ['a link to nothing', (temporary) => symlinkSync('/nonexistent/file', temporary)],
    ['a hard link', (temporary, secret) => linkSync(secret, temporary)],
    ['a file', (temporary) => writeFileSync(temporary, 'planted')],
  ])('is never %s that is there already', async (what, plant) => {
    const at = prepare(`planted ${what}`);
    writeFileSync(at('secret'), 'secret');
    const { replaced, token, temporary } = planOf(at('out'));
    plant(temporary, at('secret'));
    expect(() => Replacement.create(replaced, token)).toThrow(OutputError);
    expect(readFileSync(at('secret'), 'utf8')).toBe('secret');
    expect(existsSync(at('secret'))).toBe(true);
  });
});

groupIf(isPosix)('a device', () => {
  it('is written to, and stays', async () => {
    await write('/dev/null', 'text');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
    if (process.platform !== 'linux') return;
    await expect(write('/dev/full', 'text')).rejects.toThrow(
      '/dev/full: no space left on the device; free some space, or write elsewhere',
    );
  });
});

describe('all outputs of a run', () => {
  it('get their names together, the converted text last', async () => {
    mkdirSync(path('all'));
    const at = (name: string): string => path(`all/${name}`);
    const names = ['output', 'rejects', 'undo', 'stats'];
    const outputs = await Outputs.create(
      Object.fromEntries(names.map((name) => [name, findReplaced(at(name))!])),
      Object.fromEntries(names.map((name, i) => [name, `0000000${i}`])),
    );
    await outputs.write('output', Buffer.from('text'));
    await outputs.write('undo', Buffer.from('a'));
    await outputs.write('undo', Buffer.from('bc'));
    expect(outputs.kept).toEqual({
      output: { size: 4, checksum: 0x3b8ba7c7 },
      rejects: { size: 0, checksum: 0 },
      undo: { size: 3, checksum: 0x352441c2 },
      stats: { size: 0, checksum: 0 },
    });
    expect(Buffer.from(outputs.read('output', 1, 3)).toString()).toBe('ex');
    await outputs.finish();
    expect(readdirSync(at('.')).every((name) => name.includes('unfinished'))).toBe(true);
    vi.stubEnv('UTF8_TEST_STOP', 'named:stats');
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      // Each keeps its temporary name until all have theirs.
      expect(readdirSync(at('.')).sort()).toEqual([
        ...names.map((name, i) => `.${name}.utf8-unfinished-0000000${i}`).sort(),
        'rejects',
        'stats',
        'undo',
      ]);
      return true;
    });
    outputs.commit();
    expect(kill).toHaveBeenCalledOnce();
    kill.mockRestore();
    vi.unstubAllEnvs();
    expect(readdirSync(at('.')).sort()).toEqual(['output', 'rejects', 'stats', 'undo']);
  });

  it('go if one cannot be opened', async () => {
    mkdirSync(path('none'));
    const paths = { output: path('none/out'), rejects: path('none/no/rejects') };
    await expect(Outputs.open(paths)).rejects.toThrow('its folder does not exist');
    expect(readdirSync(path('none'))).toEqual([]);
  });
});

it('an interrupted process removes the rest where one removal fails', () => {
  const last = vi.fn(() => 'kept');
  const settle = whenInterrupted(() => 'never');
  whenInterrupted(() => {
    throw new Error('no');
  });
  whenInterrupted(last);
  settle();
  expect(discardUnfinished()).toEqual(['kept']);
  expect(discardUnfinished()).toEqual([]);
  expect(last).toHaveBeenCalledOnce();
});
