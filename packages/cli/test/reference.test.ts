/** Help, the man page and completions, which all come from the declarations of the options. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { directory, loadCommands } from '../src/command/directory.js';
import { listOptions } from '../src/option/option.js';
import { parse } from '../src/option/parse.js';
import { program } from '../src/reference/program.js';
import { need } from './built.js';
import { useFolder, utf8 } from './command.js';

const path = useFolder();
const root = new URL('..', import.meta.url);
const at = (file: string): string => fileURLToPath(new URL(file, root));
const manifest = JSON.parse(readFileSync(at('package.json'), 'utf8'));
const commands = await loadCommands();

const files = {
  man: 'dist/man/utf8.1',
  'complete-bash': 'dist/completions/utf8.bash',
  'complete-zsh': 'dist/completions/_utf8',
  'complete-fish': 'dist/completions/utf8.fish',
};

describe('the declarations', () => {
  it.each(commands.map((command) => [command.name, command] as const))(
    'of %s are complete',
    (_, command) => {
      for (const [name, { help, short, default: usual, choices }] of listOptions(command)) {
        expect(help.length, `--${name}: ${help}`).toBeLessThanOrEqual(60);
        expect(help, name).toMatch(/^[a-zU][^.]*[^.]$/);
        expect(short?.length ?? 1).toBe(1);
        if (usual !== undefined && choices) expect(choices).toContain(usual);
      }
      expect(command.description).toMatch(/^[A-Z].*\.$/);
      expect(command.examples).toHaveLength(2);
      for (const [args, purpose] of command.examples) {
        expect(purpose).toMatch(/^[A-Z].*[^.]$/);
        const words =
          args
            .split(/ [|>] /)[0]
            ?.replaceAll('"', '')
            .split(' ') ?? [];
        parse(words, command);
      }
      expect(Object.keys(command.exitCodes)).toContain('0');
      const names = listOptions(command).map(([name]) => name);
      expect(names.length).toBeLessThanOrEqual(41);
      expect(names).toEqual(expect.arrayContaining([...(command.common ?? [])]));
    },
  );

  it('are those of the commands that help lists', () => {
    expect(commands.map(({ name }) => name)).toEqual(directory.map(([name]) => name));
  });
});

it('the documentation names only options that exist', () => {
  const options = [program, ...commands].flatMap((command) => listOptions(command));
  const flags = new Set(options.map(([name]) => `--${name}`));
  const ofOthers = ['--global', '--jsonArray', '--tab', '--load-via-partition-root'];
  const pages = at('../../apps/site/src/command/');
  const texts = [at('README.md'), ...readdirSync(pages).map((name) => `${pages}${name}`)].flatMap(
    (file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?<![\w-])--[a-z][\w-]*/g)].map(([flag]) => [
        flag,
        file,
      ]),
  );
  expect(texts.length).toBeGreaterThan(100);
  const unknown = texts.filter(([flag = '']) => !flags.has(flag) && !ofOthers.includes(flag));
  expect(unknown).toEqual([]);
});

describe('what ships', () => {
  it.each(Object.entries(files))('--generate %s prints all options', async (kind, file) => {
    const { status, stdout, stderr } = await utf8(['--generate', kind]);
    expect([status, stderr]).toEqual([0, '']);
    for (const command of commands) {
      expect(stdout.toString().toLowerCase()).toContain(command.name);
      for (const [name] of listOptions(command)) {
        const spelling = name.replaceAll('-', kind === 'man' ? '\\-' : '-');
        expect(stdout.toString(), file).toContain(spelling);
      }
    }
  });

  it.each(Object.entries(files))(
    '--generate %s prints what the build has written',
    { tags: ['slow'] },
    async (kind, file) => {
      const { stdout } = await utf8(['--generate', kind]);
      expect(readFileSync(at(file), 'utf8')).toBe(stdout.toString());
    },
  );

  it('is part of the package', () => {
    expect(manifest.man).toBe(`./${files.man}`);
    expect(manifest.files).toContain('dist');
    expect(`${manifest.bin.utf8}`).toBe('./dist/utf8.js');
  });
});

describe('the man page', { tags: ['slow'] }, () => {
  it.for([
    ['man', ['--warnings=w', '-l']],
    ['groff', ['-man', '-Tutf8', '-ww', '-z']],
  ] as const)('has no warnings of %s', ([program, args]) => {
    need(program);
    const { status, stderr } = spawnSync(program, [...args, at(files.man)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8', MANWIDTH: '100' },
    });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('has one warning of mandoc: the date is missing, since builds of all days are the same', () => {
    need('mandoc');
    const args = ['-T', 'lint', '-W', 'warning', at(files.man)];
    const { status, stdout, stderr } = spawnSync('mandoc', args, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([2, '']);
    expect(stdout.replace(/^.*WARNING: /, '')).toBe('missing date, using "": TH\n');
  });

  it('shows options as they are written', () => {
    need('groff');
    const { stdout } = spawnSync('groff', ['-man', '-Tutf8', '-P-cbou', at(files.man)], {
      encoding: 'utf8',
    });
    expect(stdout).toContain('utf8 convert --from LABEL [OPTION]... [FILE]...');
    expect(stdout).toMatch(/-o, --output FILE\n +write FILE/);
    expect(stdout).toContain('--hex "2F C0 AE 2E 2F"');
    expect(stdout).toContain('\\\\, \\t, \\n, \\r and \\uXXXX');
  });
});

describe('completion', { tags: ['slow'] }, () => {
  const complete = (...words: string[]): string[] => {
    const script = `. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _utf8; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const args = ['-c', script, at(files['complete-bash']), 'utf8', ...words];
    const { stdout, stderr } = spawnSync('bash', args, { encoding: 'utf8', cwd: path('.') });
    expect(stderr).toBe('');
    return stdout.trimEnd().split('\n');
  };

  it('of bash knows commands, options and values', () => {
    need('bash');
    expect(spawnSync('bash', ['-n', at(files['complete-bash'])]).status).toBe(0);
    expect(complete('')).toEqual(['help', ...directory.map(([name]) => name)]);
    expect(complete('sc')).toEqual(['scan']);
    expect(complete('help', 'che')).toEqual(['check']);
    expect(complete('--gen')).toEqual(['--generate']);
    expect(complete('--generate', 'm')).toEqual(['man']);
    expect(complete('convert', '--un')).toEqual(['--unpaired-surrogates', '--undo']);
    expect(complete('convert', '--errors', 're')).toEqual(['replace', 'remove']);
    expect(complete('convert', '-f', 'cesu-8+')).toEqual(['cesu-8+utf-8']);
    expect(complete('scan', '--format', 'pg')).toEqual(['pg_dump']);
    // Nothing of ours: bash then offers files.
    expect(complete('convert', '-o', 'x')).toEqual(['']);
    expect(complete('check', 'x')).toEqual(['']);
  });

  it('of zsh is valid', () => {
    need('zsh');
    const args = ['-n', at(files['complete-zsh'])];
    const { status, stderr } = spawnSync('zsh', args, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('of fish is valid, and knows values', () => {
    need('fish');
    const file = at(files['complete-fish']);
    expect(spawnSync('fish', ['-n', file]).status).toBe(0);
    const script = `source ${file}; complete -C 'utf8 convert --errors re'`;
    const { stdout } = spawnSync('fish', ['-c', script], { encoding: 'utf8' });
    expect(stdout).toContain('replace');
  });
});
