/** CommonJS packages as a program finds them that nobody has touched yet. */
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

/**
 * Loads a copy of a package that shares nothing with other copies but what it depends on.
 *
 * @param specifier - A package that this one depends on, or a module of it.
 */
export function loadFresh<Exports>(specifier: string): Exports {
  const [name = ''] = specifier.split('/');
  const folder = path.dirname(require.resolve(`${name}/package.json`)) + path.sep;
  const forget = (): void => {
    for (const file of Object.keys(require.cache)) {
      if (file.startsWith(folder)) delete require.cache[file];
    }
  };
  forget();
  const exports = require(specifier);
  // Nor do those share it that load the package in the usual way.
  forget();
  return exports;
}
