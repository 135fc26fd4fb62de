/** CommonJS packages in the state of a program that has not used them yet. */
import path from 'node:path';

/**
 * Loads a copy of a package that shares only its dependencies with other copies.
 *
 * @param require - That of a module whose package depends on it.
 * @param specifier - The package, or a module of it.
 */
export function loadFresh<Exports>(require: NodeJS.Require, specifier: string): Exports {
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
