/** A page in headless Firefox, which sends its report to a server here. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { openPage } from '../browsers.mjs';
import { LIMIT, type Report } from './report.js';
import { answer, pathOf } from './site.js';

/** Runs a bundle in a page. */
export async function runFirefox(program: string, bundle: string): Promise<Report> {
  const script = `
    const send = (path, body) => fetch(path, { method: 'POST', body });
    import(${JSON.stringify(pathOf(bundle))})
      .then(({ start }) => start())
      .then((report) => send('/report', JSON.stringify(report)))
      .catch((error) => send('/error', error + '\\n' + error.stack));`;

  let resolve: (report: Report) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<Report>((...functions) => {
    [resolve, reject] = functions;
  });
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    if (request.method === 'POST') {
      const body = await text(request);
      if (pathname === '/report') resolve(JSON.parse(body));
      else reject(new Error(`The page failed: ${body}`));
      response.end();
      return;
    }
    const { status, headers, body } = answer(pathname, script);
    response.writeHead(status, headers).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const page = await openPage('firefox', program, url);
  page.closed.then((error) => reject(new Error(`${error.message} and without a report.`)));
  const timeout = setTimeout(() => reject(new Error(`${program} took too long.`)), LIMIT);
  try {
    return await promise;
  } finally {
    clearTimeout(timeout);
    await page.close();
    server.closeAllConnections();
    server.close();
  }
}
