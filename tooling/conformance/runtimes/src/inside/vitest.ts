/**
 * The module `vitest` for other runtimes: vitest's own runner and expectations, without the parts that need
 * Node.
 */
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  addCustomEqualityTesters,
  chai,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
} from '@vitest/expect';

export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from '@vitest/runner';

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

// They name misspelt matchers, which the tests in Node do as well, and take a fifth of the time.
chai.config.useProxy = false;

const expect = chai.expect as unknown as Record<PropertyKey, unknown>;
const matchers = (globalThis as Record<PropertyKey, unknown>)[ASYMMETRIC_MATCHERS_OBJECT];
Object.assign(expect, matchers, { addEqualityTesters: addCustomEqualityTesters });

export { expect };
