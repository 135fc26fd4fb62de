/** Has code for Node run in the worker of the playground: its modules and globals are those of `node.ts`. */
import { fileURLToPath } from 'node:url';

const shim = fileURLToPath(new URL('../src/playground/node.ts', import.meta.url));

/** Code that uses Node's globals. Codecs are not among it: they would take another Buffer for Node's. */
const USERS = /[/]packages[/](?:dump|files|cli)[/](?:src|dist)[/]/;

/** Name of the module that all modules of Node become. Names that it lacks are undefined. */
const NODE = '\0node';

export function useBrowserNode(): {
  name: string;
  enforce: 'pre';
  resolveId(source: string): string | undefined;
  load(id: string): { code: string; syntheticNamedExports: true } | undefined;
  transform(code: string, id: string): { code: string; map: null } | undefined;
} {
  return {
    name: 'browser-node',
    enforce: 'pre',
    resolveId: (source) => (source.startsWith('node:') ? NODE : undefined),
    load: (id) =>
      id === NODE
        ? {
            code: `export * from ${JSON.stringify(shim)};\nexport default {};`,
            syntheticNamedExports: true,
          }
        : undefined,
    transform(code, id) {
      if (!USERS.test(id)) return undefined;
      const names = ['Buffer', 'process', 'setImmediate'].filter((name) =>
        new RegExp(`(?<![.\\w])${name}\\b(?=[.(])`).test(code),
      );
      if (names.length === 0) return undefined;
      return {
        code: `import { ${names.join(', ')} } from ${JSON.stringify(shim)};\n${code}`,
        map: null,
      };
    },
  };
}
