/** A page in headless Chromium, whose every request is answered here: there is no server. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { root } from './bundle.js';
import type { Report } from './report.js';

const settings = path.join(root, 'node_modules/.cache/chromium');

const ORIGIN = 'http://localhost';

/** Runs a bundle in a page, under a Content-Security-Policy if one is given. */
export async function runPage(program: string, bundle: string, policy?: string): Promise<Report> {
  const browser = await chromium.launch({
    executablePath: program,
    // What it would leave in the home folder.
    env: { ...process.env, XDG_CONFIG_HOME: settings, XDG_CACHE_HOME: settings },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  try {
    const page = await browser.newPage();
    await page.route('**/*', async (route) => {
      const { pathname } = new URL(route.request().url());
      const file = path.join(root, pathname);
      if (pathname === '/') {
        const headers: Record<string, string> = {
          // Without these two there is no SharedArrayBuffer.
          'Cross-Origin-Opener-Policy': 'same-origin',
          'Cross-Origin-Embedder-Policy': 'require-corp',
        };
        if (policy) headers['Content-Security-Policy'] = policy;
        const body = `<!doctype html><script type="importmap" nonce="map">${importMap()}</script>`;
        await route.fulfill({ contentType: 'text/html', headers, body });
      } else if (existsSync(file))
        await route.fulfill({ path: file, contentType: 'text/javascript' });
      else await route.fulfill({ status: 404 });
    });
    await page.goto(ORIGIN);
    const url = `${ORIGIN}/${path.relative(root, bundle).replaceAll(path.sep, '/')}`;
    // As a string, since vitest would make a call of its own of this import.
    return await page.evaluate(`import(${JSON.stringify(url)}).then(({ report }) => report)`);
  } finally {
    await browser.close();
  }
}

/** The modules of the packages as their `exports` name them, one by one and as they were built. */
function importMap(): string {
  const imports: Record<string, string> = {};
  for (const folder of readdirSync(path.join(root, 'packages'))) {
    const manifest = path.join(root, 'packages', folder, 'package.json');
    if (!existsSync(manifest)) continue;
    const { name, exports = {} } = JSON.parse(readFileSync(manifest, 'utf8'));
    for (const [subpath, target] of Object.entries(exports)) {
      const module = (target as { import?: { default: string } }).import?.default;
      if (!module) continue;
      imports[path.posix.join(name, subpath)] = path.posix.join('/packages', folder, module);
    }
  }
  return JSON.stringify({ imports });
}
