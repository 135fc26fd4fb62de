/** Files that a browser loads: a document, and the files of this repository. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { listModules, root } from './modules.js';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Returns the path of a file's page. */
export const pathOf = (file: string): string =>
  `/${path.relative(root, file).replaceAll(path.sep, '/')}`;

/**
 * Answers a request.
 *
 * @param script - The script that the document runs as a module.
 * @param policy - The document's Content-Security-Policy.
 */
export function answer(pathname: string, script = '', policy?: string): Answer {
  if (pathname === '/') {
    const headers: Record<string, string> = {
      'Content-Type': 'text/html',
      // Without these two there is no SharedArrayBuffer.
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    };
    if (policy) headers['Content-Security-Policy'] = policy;
    const imports = Object.fromEntries(
      [...listModules()].map(([name, file]) => [name, `/${file}`]),
    );
    const body = `<!doctype html>
      <script type="importmap" nonce="map">${JSON.stringify({ imports })}</script>
      ${script && `<script type="module">${script}</script>`}`;
    return { status: 200, headers, body };
  }
  const file = path.join(root, pathname);
  if (!existsSync(file)) return { status: 404, headers: {}, body: '' };
  const headers = { 'Content-Type': 'text/javascript' };
  return { status: 200, headers, body: readFileSync(file, 'utf8') };
}
