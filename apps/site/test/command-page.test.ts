/** The reference of the command is generated from the declarations of its options. */
import { describe, expect, it } from 'vitest';
import { loadCommands } from '../../../packages/cli/src/command/directory.js';
import { listOptions } from '../../../packages/cli/src/option/option.js';
import { loadCommandPages, writeCommandIndex } from '../src/command-page.js';

const commands = await loadCommands();
const pages = new Map((await loadCommandPages()).map(({ name, content }) => [name, content]));

describe('the reference', () => {
  it.each(commands.map((command) => [command.name, command] as const))(
    'of %s has all options, defaults, examples and exit codes, and details',
    (name, command) => {
      const page = pages.get(name) ?? '';
      for (const [option, { help }] of listOptions(command)) {
        expect(page, option).toMatch(new RegExp(`^\\| \`[^\`]*--${option}[ \`]`, 'm'));
        // Markdown escapes other characters.
        const [words = ''] = /^[\w ,;]+/.exec(help) ?? [];
        expect(page, option).toContain(words);
      }
      for (const [args] of command.examples) {
        expect(page).toContain(`utf8 ${name} ${args.replaceAll('|', '\\|')}`);
      }
      for (const code of [0, 2, 3]) expect(page).toContain(`| \`${code}\` | `);
      expect(page).toMatch(/^## Details\n\n\S/m);
    },
  );

  it('lists the commands in four groups', () => {
    const index = writeCommandIndex();
    for (const heading of ['Look', 'Files', 'Databases', 'Programs']) {
      expect(index).toContain(`| ${heading} | [`);
    }
    for (const { name } of commands) expect(index).toContain(`](./${name}) |`);
  });
});
