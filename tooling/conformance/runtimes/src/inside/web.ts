/** Replacements of Node's functions for the suite, in runtimes without Node. */
import { type Foreign, type Host, host } from './host.js';

export { Buffer } from 'buffer';

export const TextDecoder: Host['TextDecoder'] = host.TextDecoder ?? globalThis.TextDecoder;

/** Undefined where a runtime has one realm only. */
export const foreign: Foreign | undefined = host.foreign ?? openFrame();

function openFrame(): Foreign | undefined {
  const { document } = globalThis as { document?: Document };
  const frame = document?.documentElement.appendChild(document.createElement('iframe'));
  return (frame?.contentWindow as unknown as Foreign | null) ?? undefined;
}
