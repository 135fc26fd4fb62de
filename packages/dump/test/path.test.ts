/** Two names of one file, in every combination, and names that are not UTF-8. */

import { spawnSync } from 'node:child_process';
import { closeSync, linkSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import {
  findTarget,
  fromPath,
  isDerived,
  listReserved,
  nameCheckpoint,
  nameLock,
  nameNewCheckpoint,
  nameTemporary,
  toPath,
} from '@utf8/files';
import { beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../src/error.js';
import { refuseSharedPaths } from '../src/path/shared-paths.js';
import { bundle } from './bundle.js';
import { groupIf, hex, useFolder } from './use-folder.js';

const path = useFolder();
const isPosix = process.platform !== 'win32';

const refusal = (inputs: string[], ...outputs: [option: string, path: string][]): string => {
  try {
    refuseSharedPaths({ inputs, outputs: outputs.map(([option, path]) => ({ option, path })) });
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
};

function link(create: (file: string, alias: string) => void, file: string, alias: string): string {
  create(file, alias);
  return alias;
}

/** Every way to name a file, which may not exist. */
const namings: Record<string, (file: string, alias: string) => string> = {
  itself: (file) => file,
  './': (file) => `${dirname(file)}/./${basename(file)}`,
  '..': (file) => `${dirname(file)}/folder/../${basename(file)}`,
  'relative path': (file) => relative('', file),
  'symbolic link': (file, alias) => link(symlinkSync, file, alias),
  'relative link': (file, alias) => link(symlinkSync, basename(file), alias),
  'link to a link': (file, alias) => {
    symlinkSync(file, `${alias}-2`);
    symlinkSync(`${basename(alias)}-2`, alias);
    return alias;
  },
  'link through another folder': (file, alias) => {
    symlinkSync('folder', `${alias}-folder`);
    // `..` of the linked folder is that of its target.
    symlinkSync(`${basename(alias)}-folder/../${basename(file)}`, alias);
    return alias;
  },
  'hard link': (file, alias) => link(linkSync, file, alias),
};

groupIf(isPosix)('two paths of a run are never one file', () => {
  let number = 0;

  beforeAll(() => mkdirSync(path('folder')));

  describe.each(Object.keys(namings))('%s', (naming) => {
    const prepare = (exists: boolean): [string, string] => {
      const file = path(`file${++number}`);
      if (exists) writeFileSync(file, 'before');
      return [file, namings[naming]!(file, path(`alias${number}`))];
    };

    it('of an input is refused as an output', () => {
      const [file, alias] = prepare(true);
      for (const option of ['output', 'stats', 'rejects', 'undo', 'report']) {
        const sentence = `\`${option}\` and the input are the same file, `;
        expect(refusal([file], [option, alias])).toBe(`${sentence}${alias}; choose another file`);
        expect(refusal([path('other'), alias], [option, file])).toBe(
          `${sentence}${file}; choose another file`,
        );
      }
    });

    it.each([true, false])('of an output is refused as another one (file exists: %s)', (exists) => {
      if (naming === 'hard link' && !exists) return;
      const [file, alias] = prepare(exists);
      expect(refusal(['in'], ['output', file], ['stats', alias])).toBe(
        `\`stats\` and \`output\` are the same file, ${alias}; choose another file`,
      );
      expect(refusal(['in'], ['output', path('out')], ['undo', alias], ['rejects', file])).toBe(
        `\`rejects\` and \`undo\` are the same file, ${file}; choose another file`,
      );
    });

    it.each([true, false])(
      'of a checkpoint or temporary file is refused (exists: %s)',
      (exists) => {
        if (naming === 'hard link' && !exists) return;
        const out = path(`out${++number}`);
        for (const derived of [...listReserved(out), nameTemporary(out, '0123abcd')]) {
          // A hard link to a temporary file has a name of its own, which the run does not touch.
          if (naming === 'hard link' && !listReserved(out).includes(derived)) continue;
          if (exists) writeFileSync(derived, '');
          const alias = namings[naming]!(derived, path(`alias${++number}`));
          expect(refusal(['in'], ['output', out], ['stats', alias])).toBe(
            `the name of \`stats\`, ${alias}, is reserved for \`output\`, ${out}; choose another file`,
          );
          expect(refusal([alias], ['output', out])).toBe(
            `the name of the input, ${alias}, is reserved for \`output\`, ${out}; choose another file`,
          );
        }
      },
    );
  });

  it('two names of a device are one', () => {
    symlinkSync('/dev/null', path('null'));
    expect(refusal(['in'], ['output', '/dev/null'], ['stats', path('null')])).toBe(
      `\`stats\` and \`output\` are the same file, ${path('null')}; choose another file`,
    );
    expect(refusal(['/dev/null'], ['output', '/dev/null'])).toContain('the same file');
    expect(refusal(['/dev/zero'], ['output', '/dev/null'])).toBe('');
  });

  it('different files pass, and the same input twice', () => {
    writeFileSync(path('a'), '');
    expect(refusal([path('a'), path('a')], ['output', path('b')], ['stats', path('c')])).toBe('');
    expect(refusal([path('missing')], ['output', path('no/out')], ['stats', path('no/s')])).toBe(
      '',
    );
    expect(refusal(['-'], ['output', path('.d.utf8-checkpoint')], ['stats', path('c')])).toBe('');
  });

  it('a loop of links is left to the call that opens it', () => {
    symlinkSync('loop-b', path('loop-a'));
    symlinkSync('loop-a', path('loop-b'));
    expect(refusal([], ['output', path('loop-a')])).toBe('');
    expect(() => findTarget(path('loop-a'))).toThrow('ELOOP');
  });
});

groupIf(isPosix)('standard streams', () => {
  beforeAll(async () => {
    await bundle('path/shared-paths.ts', path('shared-paths.mjs'));
    writeFileSync(
      path('refuse.mjs'),
      `import { refuseSharedPaths } from './shared-paths.mjs';
      const messages = JSON.parse(process.argv[2]).map(([inputs, outputs]) => {
        try { refuseSharedPaths({ inputs, outputs }); return ''; }
        catch (error) { return error.message; }
      });
      process.stderr.write(JSON.stringify(messages));`,
    );
  });

  type Case = [inputs: string[], outputs: Record<string, string>, expected: string | RegExp];

  /** Expects what is said of each case where stdin and stdout are files; nothing is written to either. */
  function expectAll(
    [stdin, stdout]: [string | undefined, string | undefined],
    ...cases: Case[]
  ): void {
    const fds = [
      stdin === undefined ? 'pipe' : openSync(stdin, 'r'),
      stdout === undefined ? 'pipe' : openSync(stdout, 'a'),
    ] as const;
    const args = cases.map(([inputs, outputs]) => [
      inputs,
      Object.entries(outputs).map(([name, path]) =>
        name === 'stdout' ? { label: name, path } : { option: name, path },
      ),
    ]);
    const { stderr } = spawnSync(process.execPath, [path('refuse.mjs'), JSON.stringify(args)], {
      stdio: [...fds, 'pipe'],
    });
    for (const fd of fds) if (typeof fd === 'number') closeSync(fd);
    const messages: string[] = JSON.parse(stderr.toString());
    for (const [i, [, , expected]] of cases.entries()) {
      if (typeof expected === 'string') expect(messages[i]).toBe(expected);
      else expect(messages[i]).toMatch(expected);
    }
  }

  const same = (label: string, other: string, name: string): string =>
    `${label} and ${other} are the same file, ${name}; choose another file`;

  it('every name of stdout is what stdout is', () => {
    const names = ['/dev/stdout', '/dev/fd/1'];
    if (process.platform === 'linux') names.push('/proc/self/fd/1');
    const links = names.map((name) => {
      const link = path(`link${name.replaceAll('/', '-')}`);
      symlinkSync(name, link);
      return link;
    });
    writeFileSync(path('log'), '');
    expectAll(
      [undefined, path('log')],
      ...names.map((name): Case => [['in'], { stats: name }, same('`stats`', 'stdout', name)]),
      ...links.map((link): Case => [['in'], { output: link }, same('`output`', 'stdout', link)]),
    );
    expectAll(
      [undefined, undefined],
      ...names.flatMap((name): Case[] => [
        [['in'], { output: '-', stats: name }, /`stats` and `output` are the same file/],
        [['in'], { output: name }, ''],
      ]),
    );
  });

  it('a file to which stdout or stdin is redirected is not written by name', () => {
    const [input, log] = [path('in'), path('log')];
    writeFileSync(input, '');
    writeFileSync(log, '');
    expectAll([undefined, log], [[input], { output: log }, same('`output`', 'stdout', log)]);
    expectAll([log, undefined], [[input], { output: log }, same('`output`', 'stdin', log)]);
    expectAll([input, undefined], [['-'], { output: input }, same('`output`', 'the input', input)]);
  });

  it('stdout is not the file that is read', () => {
    const input = path('in');
    writeFileSync(input, '');
    const sentence = 'input and output are the same file; use `output`';
    expectAll([undefined, input], [[input], { output: '-' }, sentence]);
    expectAll(
      [input, input],
      [['-'], { output: '-' }, sentence],
      [['-'], { stdout: '-' }, 'input and output are the same file; write elsewhere'],
    );
  });

  it('both may be one device, such as a terminal', () => {
    expectAll(['/dev/null', '/dev/null'], [['-'], { output: '-' }, '']);
    expectAll(['/dev/null', undefined], [['-'], { output: '/dev/null' }, /same file/]);
  });
});

groupIf(process.platform === 'linux')('names are bytes', () => {
  const name = (bytes: string): Buffer => Buffer.concat([Buffer.from(path('')), hex(bytes)]);

  it('that become strings and the same bytes again', () => {
    for (const bytes of ['61 FF 62', 'C3 A9', 'ED A0 BD', 'F0 9F 92 80', 'C3', '80 C3 A9']) {
      expect(Buffer.from(toPath(fromPath(hex(bytes))))).toEqual(hex(bytes));
    }
    expect(fromPath(hex('61 FF'))).toBe('a\uDCFF');
    expect(toPath('💀')).toBe('💀');
    expect(() => toPath('a\uD83D')).toThrow(TypeError);
  });

  it('and links lead to them', () => {
    writeFileSync(name('FF 31'), 'x');
    symlinkSync(name('FF 31'), path('to-bytes'));
    symlinkSync(name('FE 32'), path('to-nothing'));
    expect(findTarget(path('to-bytes'))).toBe(fromPath(name('FF 31')));
    expect(findTarget(path('to-nothing'))).toBe(fromPath(name('FE 32')));
    expect(refusal([fromPath(name('FF 31'))], ['output', path('to-bytes')])).toContain('same file');
    expect(
      refusal(['in'], ['output', path('to-nothing')], ['stats', fromPath(name('FE 32'))]),
    ).toContain('same file');
  });
});

describe('names that a run makes', () => {
  const length = (name: string): number => Buffer.from(toPath(basename(name))).length;

  it('follow the output, and are short', () => {
    expect(nameCheckpoint('/a/out')).toBe('/a/.out.utf8-checkpoint');
    expect(nameTemporary('/a/out', '00c0ffee')).toBe('/a/.out.utf8-unfinished-00c0ffee');
    expect(nameLock('/a/out')).toBe('/a/.out.utf8-lock');
    expect(nameNewCheckpoint('/a/out')).toBe('/a/.out.utf8-checkpoint-new');
    for (const stem of ['x'.repeat(255), 'é'.repeat(127), '한'.repeat(85), '😀'.repeat(63)]) {
      for (const name of [...listReserved(stem), nameTemporary(stem, '00c0ffee')]) {
        expect(length(name)).toBeLessThanOrEqual(143);
        expect(name).toMatch(/^\.(x+|é+|한+|(😀)+)-[\da-f]{8}\.utf8-/u);
      }
    }
  });

  it('of two long names are two', () => {
    const names = Array.from({ length: 1000 }, (_, i) => nameCheckpoint(`${'x'.repeat(240)}${i}`));
    expect(new Set(names).size).toBe(1000);
  });

  it('are recognized', () => {
    for (const target of ['/a/out', `/a/${'x'.repeat(255)}`]) {
      for (const name of listReserved(target)) expect(isDerived(target, basename(name))).toBe(true);
      expect(isDerived(target, basename(nameTemporary(target, '00c0ffee')))).toBe(true);
      expect(isDerived(target, '.out.utf8-unfinished-00C0FFEE')).toBe(false);
      expect(isDerived(target, 'out.utf8-unfinished-00c0ffee')).toBe(false);
      expect(isDerived(target, '.other.utf8-checkpoint')).toBe(false);
    }
  });
});
