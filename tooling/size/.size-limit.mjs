// What a page pays for a codec, minified and gzipped. 1 kB is 1000 bytes.

const everything = '{ decode, encode, isValid, Decoder }';

/** Tables alone, to be small. */
const lite = ['strict', 'cesu8', 'mutf8', 'rfc2279'].map((name) => ({
  name: `@utf8/${name}/lite`,
  path: `../../packages/${name}/dist/lite.js`,
  import: everything,
  limit: '4 kB',
}));

/** With a kernel, to be fast. */
const full = Object.entries({
  strict: 'index',
  cesu8: 'index',
  'cesu8/lenient': 'lenient/index',
  'cesu8/mixed': 'mixed/index',
  mutf8: 'index',
  'mutf8/data-input': 'data-input/index',
  rfc2279: 'index',
}).map(([name, entry]) => ({
  name: `@utf8/${name}`,
  path: `../../packages/${name.split('/')[0]}/dist/${entry}.js`,
  import: everything,
  limit: '14 kB',
}));

/** One function leaves at least a quarter of that behind; anatomy.test.ts says what. */
const single = full.map(({ name, path }) => ({
  name: `${name}, isValid alone`,
  path,
  import: '{ isValid }',
  limit: '10.5 kB',
}));

// Servers that compress with Brotli send less; gzip is what all can do.
export default [...lite, ...full, ...single].map((check) => ({ ...check, gzip: true }));
