/** A page in a browser, which loads the bundles from a server here and sends it a message at a time. */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openPage } from '@utf8/conformance/runtimes/browsers.mjs';
import { COPY } from '../arena/copies.mjs';

/** Without these two a browser's clock has steps of 0.1 ms, or of 1 ms. */
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** A copy of a module differs from it in its path alone. */
const COPIES = new RegExp(`${COPY}[^/]*`);

/** Milliseconds after which a page is given up: an operation has a minute or so. */
const LONGEST = 1_200_000;

/** @param {object} task */
const makeDocument = (task) => `<!doctype html>
<script type="module">
  const send = (path, body) => fetch(path, { method: 'POST', body });
  try {
    const { run } = await import('/run.mjs');
    await run(${JSON.stringify(task).replaceAll('<', '\\u003c')}, (message) => send('/message', JSON.stringify(message)));
    await send('/end', '');
  } catch (error) {
    await send('/error', String(error?.stack ?? error));
  }
</script>`;

/**
 * @param {import('./find.mjs').Runtime} runtime
 * @param {string} folder - Of the bundles.
 * @param {object} task
 * @param {(message: any) => void} onMessage
 * @returns {Promise<void>}
 */
export async function runInPage({ name, program }, folder, task, onMessage) {
  /** @type {(value?: undefined) => void} */
  let resolve = () => {};
  /** @type {(error: Error) => void} */
  let reject = () => {};
  const done = new Promise((...functions) => {
    [resolve, reject] = functions;
  });
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    if (request.method === 'POST') {
      const body = await text(request);
      if (pathname === '/message') onMessage(JSON.parse(body));
      else if (pathname === '/end') resolve();
      else reject(new Error(`the page in ${name} failed: ${body}`));
      response.end();
    } else if (pathname === '/') {
      response
        .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...ISOLATION })
        .end(makeDocument(task));
    } else {
      const file = join(folder, pathname.replace(COPIES, ''));
      if (!existsSync(file)) response.writeHead(404).end();
      else
        response
          .writeHead(200, { 'Content-Type': 'text/javascript; charset=utf-8' })
          .end(readFileSync(file));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const page = await openPage(name, program, `http://127.0.0.1:${port}/`);
  page.closed.then((error) => reject(error));
  const timer = setTimeout(() => reject(new Error(`the page in ${name} does not end`)), LONGEST);
  try {
    await done;
  } finally {
    clearTimeout(timer);
    await page.close();
    server.closeAllConnections();
    server.close();
  }
}
