/** Files that are replaced as a whole, or not at all. */
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
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { groupIf, hex, onlyIf, useFolder } from '../../dump/test/use-folder.js';
import { AtomicFile, findReplaced } from '../src/atomic-file.js';
import { nameTemporary } from '../src/derived-name.js';
import { discardUnfinished, whenInterrupted } from '../src/interrupt.js';
import { fromPath } from '../src/name.js';

const path = useFolder();
const isPosix = process.platform !== 'win32';
const isRoot = process.geteuid?.() === 0;

/** A folder with a file `out` in it. */
function prepare(name: string): (file: string) => string {
  mkdirSync(path(name));
  writeFileSync(path(`${name}/out`), 'before');
  return (file) => path(`${name}/${file}`);
}

const create = (file: string): AtomicFile => AtomicFile.create(findReplaced(file)!);

async function write(file: string, text: string): Promise<void> {
  const output = create(file);
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
      const output = create(at('out'));
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
      expect(readFileSync(file, 'utf8')).toBe('text');
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
    const output = create(at('out'));
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
      const output = create(at('out'));
      await output.write(Buffer.from('after'));
      const temporary = readdirSync(at('.')).find((name) => /unfinished/.test(name)) as string;
      const swapped = victim === 'out' ? 'out' : temporary;
      // As the owner of the folder could do at any moment.
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
    expect(() => AtomicFile.create(replaced, { token })).toThrow(
      expect.objectContaining({ code: 'EEXIST' }),
    );
    expect(readFileSync(at('secret'), 'utf8')).toBe('secret');
    expect(existsSync(at('secret'))).toBe(true);
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
