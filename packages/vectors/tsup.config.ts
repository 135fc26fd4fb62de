import { preset } from '../../tooling/build/tsup.js';

const json = '../generated/vectors.json';

export default preset(['index', 'probe/index'], {
  // One copy of the vectors less, where a module can require JSON; in ESM not every runtime can.
  esbuildOptions: (options, { format }) => {
    if (format === 'cjs') options.external = [...(options.external ?? []), json];
  },
  minify: true,
  // There is nothing to shake, and a map would hold the vectors once more.
  treeshake: false,
  sourcemap: false,
});
