/** The settings of the site, and the paths of its generated pages, as VitePress loads them. */
import { fileURLToPath } from 'node:url';
import { resolveConfig } from 'vitepress';
import { expect, it } from 'vitest';

it('can be loaded', { tags: ['slow'] }, async () => {
  const { dynamicRoutes } = await resolveConfig(fileURLToPath(new URL('..', import.meta.url)));
  const routes = 'routes' in dynamicRoutes ? dynamicRoutes.routes : [];
  expect(routes.length).toBeGreaterThan(600);
});
