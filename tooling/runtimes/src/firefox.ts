/**
 * A page in headless Firefox, which sends its report to a server here. Debian's Firefox does not speak
 * the protocol that playwright-core drives its own build by.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { environment } from './child.js';
import { cache } from './program.js';
import type { Report } from './report.js';
import { answer, pathOf } from './site.js';

/** What would ask others, or ask the user. */
const PREFERENCES = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.max_script_run_time': 0,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.dns.disablePrefetch': true,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
};

/** Runs a bundle in a page. */
export async function runFirefox(program: string, bundle: string): Promise<Report> {
  const script = `
    const send = (path, body) => fetch(path, { method: 'POST', body });
    import(${JSON.stringify(pathOf(bundle))})
      .then(({ start }) => start())
      .then((report) => send('/report', JSON.stringify(report)))
      .catch((error) => send('/error', error + '\\n' + error.stack));`;
  mkdirSync(cache, { recursive: true });
  const profile = mkdtempSync(path.join(cache, 'firefox-'));
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(path.join(profile, 'user.js'), lines.join('\n'));

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
  const child = spawn(program, ['--headless', '--no-remote', '--profile', profile, url], {
    stdio: 'ignore',
    env: { ...environment, HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' },
    timeout: 600_000,
  });
  const closed = new Promise<void>((done) => {
    child.on('close', (code, signal) => {
      reject(new Error(`${program} ended with ${signal ?? code} and without a report.`));
      done();
    });
  });
  child.on('error', reject);
  try {
    return await promise;
  } finally {
    child.kill();
    await closed;
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
