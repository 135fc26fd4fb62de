/**
 * The site as it is built, which takes a minute: its pages, and its playground in browsers. `built/` contains the tests.
 *
 * @module-tag night
 */
import { beforeAll, it } from 'vitest';
import { isNight } from '../../../tooling/tiers/tier.js';

if (isNight) {
  const { buildSite } = await import('./built/served-site.js');
  const { testPages } = await import('./built/pages.js');
  const { testPlayground } = await import('./built/playground.js');
  // It has no limit of time.
  beforeAll(buildSite, 0);
  testPages();
  testPlayground();
} else it('is built and tested at night', () => {});
