import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Options } from 'tsup';
import { writeNotices } from '../../tooling/build/notices.js';
import { addStopPoints, bundleSources } from '../../tooling/build/sources.mjs';
import { preset } from '../../tooling/build/tsup.js';

/** Generated files in `dist`, by the name of their generator. */
const generated = {
  man: 'dist/man/utf8.1',
  'complete-bash': 'dist/completions/utf8.bash',
  'complete-zsh': 'dist/completions/_utf8',
  'complete-fish': 'dist/completions/utf8.fish',
};

/** Makes `utf8.js` one file with no chunk, which is all that `--version` loads. */
const program: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'program',
  setup({ onResolve }) {
    const isProgram = (importer: string) => importer.endsWith('utf8.ts');
    onResolve({ filter: /^\.\/dispatch\.js$/ }, ({ path, importer }) =>
      isProgram(importer) ? { path, external: true } : undefined,
    );
    // A copy of its own; the other is in the man page's chunk.
    onResolve({ filter: /package\.json$/ }, ({ path, importer, resolveDir }) =>
      isProgram(importer) ? { path: join(resolveDir, path), suffix: '?program' } : undefined,
    );
  },
};

// Programs, not modules to import. With our own packages in them, Node finds and reads one file instead
// of twenty: 20 ms of the 75 of a short run (Node 20).
export default preset([], {
  entry: {
    utf8: 'src/main/utf8.ts',
    dispatch: 'src/main/dispatch.ts',
    demo: 'src/demo/demo.ts',
    // The chunk of @utf8/dump starts it next to itself, as `./thread.js`.
    thread: '../dump/src/thread.ts',
  },
  format: ['esm'],
  dts: false,
  noExternal: [/^@utf8\//],
  // The bundle of `test/built.ts` alone has points where tests stop it.
  esbuildPlugins: [
    program,
    bundleSources(),
    ...(process.env.UTF8_TEST_BUNDLE ? [addStopPoints] : []),
  ],
  // Each source is then compiled by the tsconfig.json of its package.
  esbuildOptions(options) {
    // Each thread keeps the source in memory; errors are traced by source maps.
    options.minifyWhitespace = true;
    delete options.tsconfig;
  },
  // No module of ours does anything when it is loaded, so one that is not used need not be.
  treeshake: { moduleSideEffects: 'no-external' },
  async onSuccess() {
    writeNotices('dist');
    for (const [kind, file] of Object.entries(generated)) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, execFileSync(process.execPath, ['dist/utf8.js', '--generate', kind]));
    }
  },
});
