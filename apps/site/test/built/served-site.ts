/** The built site, as a server gives it, in real browsers. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Browser } from 'puppeteer-core';
import { findBrowser } from '../../../../tooling/conformance/runtimes/browsers.mjs';
import { cache } from '../../../../tooling/conformance/runtimes/programs.mjs';

/** Folder of the built site. */
export const dist: string = fileURLToPath(new URL('../../.vitepress/dist', import.meta.url));

const site = fileURLToPath(new URL('../..', import.meta.url));

/** Builds the site, from packages that are built. */
export function buildSite(): void {
  const program = path.join(site, 'node_modules/vitepress/bin/vitepress.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'build'], {
    cwd: site,
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  if (status !== 0) throw new Error(`vitepress build ended with ${status}\n${stdout}${stderr}`);
}

export const browserNames = ['chromium', 'firefox'] as const;
export type BrowserName = (typeof browserNames)[number];

/** Page that servers return for a missing one. */
const missing = path.join(dist, '404.html');

/** Refuses to compile WebAssembly, which needs 'wasm-unsafe-eval'. */
const WITHOUT_WEBASSEMBLY =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/** Finds the file of an address, as servers with clean addresses do; undefined if there is none. */
export function fileOf(pathname: string): string | undefined {
  const name = path.join(dist, decodeURIComponent(pathname));
  const candidates = [name, `${name}.html`, path.join(name, 'index.html')];
  return candidates.find((file) => existsSync(file) && statSync(file).isFile());
}

/** A server of the site. */
export interface Served {
  readonly origin: string;
  /** The paths of all requests so far. */
  readonly requests: string[];
  close(): Promise<void>;
}

export async function serve({ hasWebAssembly = true } = {}): Promise<Served> {
  const requests: string[] = [];
  const server: Server = createServer(({ url = '/', method }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    requests.push(`${method} ${pathname}`);
    const file = fileOf(pathname);
    const type = types[path.extname(file ?? missing)] ?? 'application/octet-stream';
    const headers = { 'Content-Type': type };
    const policy = hasWebAssembly ? {} : { 'Content-Security-Policy': WITHOUT_WEBASSEMBLY };
    const status = file ? 200 : 404;
    response.writeHead(status, { ...headers, ...policy }).end(readFileSync(file ?? missing));
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { origin: `http://localhost:${port}`, requests, close };
}

/** Starts a browser that asks nothing of others. */
export async function launch(name: BrowserName): Promise<Browser> {
  const executablePath = findBrowser(name);
  if (!executablePath) throw new Error(`missing: ${name}`);
  // Home folder for the files of browsers. Firefox refuses one that another user owns.
  const home = path.join(cache, 'home');
  mkdirSync(home, { recursive: true });
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home };
  if (name === 'firefox') {
    const extraPrefsFirefox = {
      'app.update.disabledForTesting': true,
      'browser.safebrowsing.malware.enabled': false,
      'browser.safebrowsing.phishing.enabled': false,
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
      'services.settings.server': 'data:,',
    };
    return puppeteer.launch({ browser: 'firefox', executablePath, env, extraPrefsFirefox });
  }
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
  return puppeteer.launch({ browser: 'chrome', executablePath, env, args });
}
