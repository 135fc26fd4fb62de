import { choice } from './choice.js';
import { copy, type Kernel } from './kernel.js';
import { platform } from './platform.js';
import { copyWords, findView, isAsciiByBytes, isAsciiByWords } from './view.js';

/**
 * Decodes `source[from..to)`, which is short and at least four bytes long, by a kernel.
 *
 * @returns Undefined if the bytes are malformed, or the kernel cannot run.
 */
export function decodePart(
  kernel: Kernel,
  source: Uint8Array,
  from: number,
  to: number,
): string | undefined {
  const module = kernel.load();
  const view = findView(source, from, to);
  const { firstAscii } = kernel.facts;
  const isAscii = view
    ? isAsciiByWords(view, from, to, firstAscii)
    : isAsciiByBytes(source, from, to, firstAscii);
  const { latin1Slice, ucs2Slice } = platform;
  if (isAscii && latin1Slice && choice.webassembly) return latin1Slice.call(source, from, to);
  if (!module || !ucs2Slice) return undefined;
  if (view) copyWords(view, from, to, module.inputWords, module.input);
  else copy(source, from, to, module.input, 0);
  const codeUnits = module.decodeShort(module.inputAt, to - from, module.outputAt);
  return codeUnits < 0 ? undefined : ucs2Slice.call(module.bytes, 0, 2 * codeUnits);
}
