import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { preset } from '../../tooling/presets/tsup.js';

/** What the command says about itself: files in `dist`, by the name of their generator. */
const generated = {
  man: 'dist/man/utf8.1',
  'complete-bash': 'dist/completions/utf8.bash',
  'complete-zsh': 'dist/completions/_utf8',
  'complete-fish': 'dist/completions/utf8.fish',
};

// Programs, not modules to import. With our own packages in them, Node finds and reads one file instead
// of twenty: 20 ms of the 75 of a short run (Node 20).
export default preset([], {
  entry: {
    utf8: 'src/main/utf8.ts',
    demo: 'src/demo/demo.ts',
    // The chunk of @utf8/dump starts it next to itself, as `./thread.js`.
    thread: '../dump/dist/thread.js',
  },
  format: ['esm'],
  dts: false,
  noExternal: [/^@utf8\//],
  async onSuccess() {
    for (const [kind, file] of Object.entries(generated)) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, execFileSync(process.execPath, ['dist/utf8.js', '--generate', kind]));
    }
  },
});
