/** The service worker of the site: pages that were opened work without a network, the playground with all its parts. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Code that runs in the browser; the build writes the lines before it. */
const PROGRAM = `
const open = () => caches.open(NAME);

const keepPlayground = async () => (await open()).addAll(FILES);

self.addEventListener('install', (event) => {
  self.skipWaiting();
  // A new version of a known page.
  const renew = async () => (await caches.match(PLAYGROUND)) && keepPlayground();
  event.waitUntil(renew());
});

// Readers of other pages need not load the playground: it says that it is open.
self.addEventListener('message', (event) => event.waitUntil(keepPlayground()));

self.addEventListener('activate', (event) => {
  const removeOthers = async () => {
    for (const name of await caches.keys()) if (name !== NAME) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(removeOthers());
});

self.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method !== 'GET' || new URL(url).origin !== self.location.origin) return;
  // The name of an asset tells its content; a page may have changed.
  event.respondWith(/[/]assets[/]/.test(url) ? findFirst(event.request) : fetchFirst(event.request));
});

async function findFirst(request) {
  return (await caches.match(request)) ?? keep(request, await fetch(request));
}

async function fetchFirst(request) {
  try {
    return await keep(request, await fetch(request));
  } catch (error) {
    const known = await caches.match(request, { ignoreSearch: true });
    if (known) return known;
    throw error;
  }
}

async function keep(request, response) {
  if (response.ok) (await open()).put(request, response.clone());
  return response;
}
`;

/**
 * Writes the service worker of a site that was built.
 *
 * @param folder - The site.
 * @param base - The path of the site, such as `/utf8/`.
 */
export function writeServiceWorker(folder: string, base: string): void {
  const page = readFileSync(path.join(folder, 'playground.html'), 'utf8');
  const linked = Array.from(
    page.matchAll(/(?:href|src)="([^"]*\/assets\/[^"]+)"/g),
    ([, url]) => url,
  );
  // The worker, and files that the page requests later.
  const others = readdirSync(path.join(folder, 'assets'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?:worker|scan|playground|chunks\/vector-list)/.test(name))
    .map((name) => `${base}assets/${name.replaceAll(path.sep, '/')}`);
  const playground = `${base}playground`;
  const files = [...new Set([playground, ...linked, ...others])].sort();
  const name = createHash('sha256').update(files.join()).digest('hex').slice(0, 16);
  const head = [
    `const NAME = '${name}';`,
    `const PLAYGROUND = ${JSON.stringify(playground)};`,
    `const FILES = ${JSON.stringify(files)};\n`,
  ].join('\n');
  writeFileSync(path.join(folder, 'service-worker.js'), head + PROGRAM);
}
