/** File names that are not UTF-8. Only Linux has them, and passes their bytes to a program. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { program } from './built.js';
import { hex, useFolder, utf8 } from './command.js';

const path = useFolder();

/** Runs a shell command in the folder; `utf8` is the command. */
function sh(script: string): { status: number | null; stdout: string; stderr: string } {
  const define = `utf8() { "${process.execPath}" "${program}" "$@"; }`;
  const options = { cwd: path('.'), encoding: 'utf8' } as const;
  return spawnSync('sh', ['-c', `${define}; ${script}`], options);
}

/** Runs the command there, in this process: bytes of a name are as they are after they were recovered. */
const here = (...args: string[]) => utf8(args, '', { cwd: path('.') });

const names = (): string[] =>
  readdirSync(path('.'), { encoding: 'buffer' })
    .map((name) => name.toString('latin1'))
    .sort();

describe.skipIf(process.platform !== 'linux')('a file name that is not UTF-8', () => {
  it('is read, and another is written under exactly its name', () => {
    execFileSync('sh', ['-c', `printf '\\355\\240\\275\\355\\270\\200' > "$(printf 'in\\377')"`], {
      cwd: path('.'),
    });
    const result = sh(
      `utf8 convert -f cesu-8 "$(printf 'in\\377')" -o "$(printf 'out\\351\\377')"`,
    );
    expect(result).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(names()).toEqual(['in\xff', 'out\xe9\xff']);
    const [, output] = readdirSync(Buffer.from(path('.')), { encoding: 'buffer' });
    expect(
      readFileSync(
        Buffer.concat([Buffer.from(path('')), Buffer.from('/'), output as Buffer]),
      ).toString(),
    ).toBe('😀');
  });

  it('shows its bytes', async () => {
    for (const command of [['check'], ['detect'], ['convert', '-f', 'utf-8']]) {
      const { stdout, stderr } = await here(...command, 'in\udcff');
      expect(stdout + stderr).toContain('in\\xFF');
      expect(stdout + stderr).not.toContain('\uFFFD');
    }
    const { stderr } = await here('check', 'none\udcff');
    expect(stderr).toBe('utf8: none\\xFF: no such file; check the name\n');
    const json = await here('check', '--json', 'in\udcff');
    expect(JSON.parse(`${json.stdout}`.split('\n')[0] ?? '').file).toBe('in\udcff');
  });

  it('is found after options of Node, and next to names with U+FFFD', () => {
    writeFileSync(path('\uFFFD'), hex('FF'));
    const script = `"${process.execPath}" --no-warnings "${program}" check "$(printf '\\377')" "\uFFFD" | { IFS=: read -r name rest; printf '%s\\n' "$name"; }`;
    expect(sh(script)).toMatchObject({
      stdout: '\uFFFD\n',
      stderr: expect.stringContaining('\\xFF: no such'),
    });
  });

  it('is what scan advises to convert', async () => {
    const { stdout } = await here('scan', '--format', 'lines', 'in\udcff');
    expect(`${stdout}`).toMatch(/Next: utf8 convert \$'in\\xFF' .* -o \$'in\\xFF\.utf-8'\n/);
  });

  it('in a folder of classes is read as well', async () => {
    mkdirSync(path('classes'));
    writeFileSync(
      Buffer.concat([Buffer.from(path('classes/')), hex('FF'), hex('2E636C617373')]),
      '',
    );
    const { status, stderr } = await utf8(['strings', path('classes')]);
    expect(status).toBe(1);
    expect(stderr).toContain(
      `utf8: ${path('classes')}/\\xFF.class: is neither a class file nor an archive`,
    );
  });
});
