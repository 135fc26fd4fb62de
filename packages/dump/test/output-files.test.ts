/** Output files of a run: all of them are replaced, or none is. */
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { OutputError } from '../src/error.js';
import { findReplaced, openOutput } from '../src/sink/output.js';
import { Outputs } from '../src/sink/outputs.js';
import { groupIf, useFolder } from './use-folder.js';

const path = useFolder();
const isPosix = process.platform !== 'win32';

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

it('an output that cannot be written to is refused with what to do', async () => {
  mkdirSync(path('folder'));
  await expect(openOutput(path('folder'))).rejects.toThrow(
    `${path('folder')}: is a directory; specify a file in it`,
  );
  await expect(openOutput(path('no/out'))).rejects.toThrow(
    `${path('no/out')}: its folder does not exist; create it first`,
  );
  await expect(openOutput(path('x'.repeat(256)))).rejects.toThrow('the name is too long');
  await expect(openOutput(path('folder'))).rejects.toBeInstanceOf(OutputError);
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
  it.each([1, 143, 242, 254, 255])('of which one has a name of %i bytes', async (length) => {
    mkdirSync(path(`long${length}`));
    for (const name of ['x'.repeat(length), 'é'.repeat(length / 2) || 'y']) {
      const file = path(`long${length}/${name}`);
      const outputs = await Outputs.create({ output: findReplaced(file)! }, { output: '0123abcd' });
      await outputs.write('output', Buffer.from('more'));
      await outputs.finish();
      outputs.commit();
      expect(readFileSync(file, 'utf8')).toBe('more');
    }
    expect(readdirSync(path(`long${length}`)).filter((name) => name.includes('utf8'))).toEqual([]);
  });

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
      expect(readdirSync(at('.')).sort()).toEqual([
        '.output.utf8-unfinished-00000000',
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
