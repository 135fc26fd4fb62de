// Bytes that codecs and detection add to a page, minified and gzipped. 1 kB is 1000 bytes.
import { readFileSync } from 'node:fs';

/** @type {string[]} */
const specifiers = JSON.parse(
  readFileSync(new URL('../../../packages/variants.json', import.meta.url), 'utf8'),
);

const everything = '{ decode, encode, isValid, Decoder }';

/** The built module of `@utf8/cesu8/lenient/lite`. @param {string} specifier */
function moduleOf(specifier) {
  const [, name, ...profile] = specifier.split('/');
  const { exports } = JSON.parse(
    readFileSync(new URL(`../../../packages/${name}/package.json`, import.meta.url), 'utf8'),
  );
  return `../../../packages/${name}/${exports[['.', ...profile].join('/')].import.default}`;
}

/** Small. */
const lite = specifiers.map((specifier) => ({
  name: `${specifier}/lite`,
  path: moduleOf(`${specifier}/lite`),
  import: everything,
  limit: '5.6 kB',
}));

/** Fast, with a kernel. */
const full = specifiers.map((specifier) => ({
  name: specifier,
  path: moduleOf(specifier),
  import: everything,
  limit: '14 kB',
}));

/** A bundle with one function lacks at least a quarter of that; anatomy.test.ts lists the parts. */
const single = full.map(({ name, path }) => ({
  name: `${name}, isValid alone`,
  path,
  import: '{ isValid }',
  limit: '10.5 kB',
}));

/** Detection reads with the `/lite` functions of every variant. */
const detection = {
  name: '@utf8/detect, detect and Detector',
  path: '../../../packages/detect/dist/index.js',
  import: '{ detect, Detector }',
  limit: '17 kB',
};

// Servers that compress with Brotli send less; gzip is what all can do.
export default [...lite, ...full, ...single, detection].map((check) => ({
  ...check,
  gzip: true,
  // Without the paths of the repository's tsconfig.json, which lead to sources.
  modifyEsbuildConfig: (config) => ({ ...config, tsconfigRaw: '{}' }),
}));
