/** Contestants of a race, and the loop that runs them. */
import { codecs, largestFor } from './codecs.mjs';

/** @typedef {import('./codecs.mjs').Variant} Variant */
/** @typedef {import('./material.mjs').Item} Item */

/**
 * @typedef {object} Contestant
 * @property {string} name
 * @property {'ours' | 'platform' | 'peer'} group
 * @property {Variant} variant - Of its input, or of its output where the input is text.
 * @property {readonly string[]} [modules] - The specifiers of ours that it uses.
 * @property {(modules: any[]) => Record<string, any> | Promise<Record<string, any>>} scope - The names
 *   that its body uses, made of a copy of those modules.
 * @property {string} body - Statements that make a result of `input`, and return it.
 * @property {(result: any, scope: Record<string, any>) => unknown} [output] - What is compared, where
 *   it is not the result itself.
 * @property {number} [largest] - No input of more bytes than this: it would take all the time there is.
 * @property {(item: Item) => unknown} [input] - Where it is not the operation's.
 * @property {(item: Item) => unknown} [expected] - Where it is not the operation's.
 * @property {(text: string) => boolean} [fits] - Tells whether it supports a text (default: all).
 * @property {string} [codec] - The name of our codec, if it differs from the name.
 * @property {string} [remark] - A remark for readers.
 */

/**
 * @typedef {object} Operation
 * @property {string} name
 * @property {string} title - A description of the work.
 * @property {readonly number[]} [sizes] - The only ones that make sense.
 * @property {readonly Contestant[]} contestants
 * @property {(item: Item, variant: Variant) => unknown} input
 * @property {(item: Item, variant: Variant) => unknown} expected
 * @property {(variant: Variant) => readonly unknown[]} [malformed] - Inputs that a strict contestant refuses.
 */

/**
 * @typedef {object} Edition - Our modules, where a race is between several of them.
 * @property {string} name
 * @property {string} folder - Of the modules of that build.
 * @property {string} [backend] - The one backend by which kernels have to work.
 */

/** @typedef {{ once: (input: any) => unknown, many: (inputs: readonly unknown[], calls: number) => void }} Runner */

/** Sink for results, so that no engine can remove unused work. */
export const sink = { total: 0 };

/**
 * Compiles a contestant's body, with a loop of its own around it: in a loop for all, the engine would
 * see every contestant's types in one place, and the first would run faster than the rest.
 *
 * @param {string} name - Makes the source unique, since V8 shares type feedback by source.
 * @param {string} body
 * @param {Record<string, any>} scope
 * @returns {Runner}
 */
export function compile(name, body, scope) {
  const source = `// ${name}
    const { ${Object.keys(scope).join(', ')} } = scope;
    const once = (input) => { ${body} };
    let next = 0;
    const many = (inputs, calls) => {
      const { length } = inputs;
      let total = 0;
      for (let i = 0; i < calls; i++) {
        if (next >= length) next = 0;
        const result = once(inputs[next++]);
        total += typeof result === 'object' || typeof result === 'string' ? result.length : +result;
      }
      sink.total = (sink.total + total) % 0x7fffffff;
    };
    return { once, many };`;
  return new Function('scope', 'sink', source)(scope, sink);
}

/**
 * Our codecs as contestants.
 *
 * @param {string} body - With the name `codec` for the codec.
 * @param {Partial<Contestant> & { only?: readonly import('./codecs.mjs').Ours[], extra?: Record<string, any> }} [more]
 * @returns {Contestant[]}
 */
export function ours(body, { only = codecs, extra = {}, ...more } = {}) {
  return only.map(({ name, variant, fits }) => ({
    name,
    group: 'ours',
    variant,
    fits,
    largest: largestFor(name),
    modules: [`@utf8/${name}`],
    scope: ([codec]) => ({ codec, ...extra }),
    body,
    ...more,
  }));
}
