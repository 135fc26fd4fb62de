/** Compares computed expectations with other implementations. */
import type { Aspect, Difference, Variant } from '../../../../packages/vectors/src/index.js';
import type { Peer } from '../../interop/src/peer.js';
import { type Case, toHex } from './case.js';
import { computeExpectation, computeTexts } from './expectation.js';
import { findVersion, type Implementation } from './implementation.js';
import { variants } from './variant.js';

/** The result of one implementation for one case and variant. */
export interface Confirmation {
  readonly by: string;
  readonly variant: Variant;
  readonly id: string;
  readonly confirms: readonly Aspect[];
  readonly differs: readonly Difference[];
}

/** A parsed answer. */
interface Answer {
  /** The text; undefined for a fault. */
  readonly text?: readonly number[];
  readonly offset?: number;
  readonly length?: number;
  readonly incomplete?: boolean;
}

const isHigh = (value = 0): boolean => value >= 0xd800 && value <= 0xdbff;
const isLow = (value = 0): boolean => value >= 0xdc00 && value <= 0xdfff;

/** Joins surrogate pairs, so that code units and code points compare; numbers never pair. */
function join(variant: Variant, values: readonly number[]): readonly number[] {
  if (variants[variant].grammar.domain === '31 bits') return values;
  const text: number[] = [];
  for (const value of values) {
    const before = text.at(-1);
    if (isHigh(before) && isLow(value)) {
      text[text.length - 1] = 0x10000 + ((before as number) - 0xd800) * 0x400 + value - 0xdc00;
    } else text.push(value);
  }
  return text;
}

function parse(line: string, { answers, variant }: Implementation): Answer {
  const [kind, ...words] = line.split(' ');
  if (kind === 'ok') {
    const digits = words[0] ?? '';
    const width = answers === 'units' ? 4 : 8;
    const count = digits.length / width;
    const text = Array.from({ length: count }, (_, i) =>
      Number.parseInt(digits.slice(i * width, (i + 1) * width), 16),
    );
    return { text: join(variant, text) };
  }
  if (kind !== 'fault') throw new Error(`no answer: ${line}`);
  const [offset, length] = words.map((word) => (/^\d+$/.test(word) ? Number(word) : undefined));
  return {
    ...(offset !== undefined && { offset }),
    ...(length !== undefined && { length }),
    // The errors of iconv, which reports no length.
    ...(/^(EINVAL|EILSEQ)$/.test(words[1] ?? '') && { incomplete: words[1] === 'EINVAL' }),
  };
}

const isSurrogate = (codePoint: number): boolean => isHigh(codePoint) || isLow(codePoint);

/** Converts a text with a lone surrogate to a fault of unknown place and length. */
const refuseLoneSurrogates = (answer: Answer): Answer =>
  answer.text?.some(isSurrogate) ? {} : answer;

const points = (text: readonly number[]): string =>
  text.map((codePoint) => codePoint.toString(16).toUpperCase().padStart(4, '0')).join(' ');

/** Formats the text that a peer accepts. Only Perl accepts FE and FF, as leads of large numbers. */
const print = (text: readonly number[], bytes: Uint8Array): string =>
  bytes.some((byte) => byte >= 0xfe) ? 'a number beyond 31 bits' : points(text);

const same = (a: readonly number[] | undefined, b: readonly number[]): boolean =>
  a?.join() === b.join();

/** Compares one implementation with the expectations of all cases. */
export async function confirm(
  implementation: Implementation,
  peer: Peer,
  cases: readonly Case[],
): Promise<Confirmation[]> {
  const by = implementation.name(findVersion(peer.about));
  const { variant, decode, replace, wellFormed } = implementation;
  const inputs = cases.map(({ bytes }) => toHex(bytes));
  const ask = async (operation: string, digits: readonly string[]): Promise<Answer[]> =>
    (await peer.ask(operation, digits)).map((line) => parse(line, implementation));

  const adapt = wellFormed ? refuseLoneSurrogates : (answer: Answer) => answer;
  const decoded = decode ? (await ask(decode, inputs)).map(adapt) : [];
  const replaced = replace ? await ask(replace[0], inputs) : [];
  const prefixes = cases.map(({ bytes }) =>
    Array.from(bytes, (_, length) => toHex(bytes.subarray(0, length))),
  );
  const prefixAnswers = decode ? (await ask(decode, prefixes.flat())).map(adapt) : [];

  let next = 0;
  return cases.map(({ id, bytes }, i) => {
    const own = prefixAnswers.slice(next, next + bytes.length);
    next += bytes.length;
    const confirms: Aspect[] = [];
    const differs: Difference[] = [];
    const report = (on: Aspect, agrees: boolean, does: string): void => {
      if (agrees) confirms.push(on);
      else differs.push({ by, on, does });
    };
    const { accepts, text, fault } = computeExpectation(variant, bytes);
    const answer = decoded[i];
    if (answer) {
      const agrees = accepts ? same(answer.text, join(variant, text)) : !answer.text;
      const does = answer.text ? `accepts it as ${print(answer.text, bytes)}` : 'refuses it';
      report('result', agrees, does);
      if (fault && !answer.text) {
        // An implementation that reports no offset stops after the longest prefix that it accepts.
        const last = own.findLastIndex((prefix) => prefix.text !== undefined);
        const offset = wellFormed ? last : (answer.offset ?? last);
        report('offset', offset === fault.offset, `stops at byte ${offset}`);
        if (answer.length !== undefined && answer.offset === fault.offset) {
          const bytes = answer.length === 1 ? 'one byte' : `${answer.length} bytes`;
          report('length', answer.length === fault.length, `reads ${bytes} as one fault`);
        }
        if (answer.incomplete !== undefined && answer.offset === fault.offset) {
          const does = `calls it ${answer.incomplete ? 'incomplete' : 'invalid'}`;
          report('incomplete', answer.incomplete === fault.incomplete, does);
        }
      }
    }
    // Without a fault, nothing is replaced.
    if (replace && fault) {
      const [, ...practices] = replace;
      const returned = replaced[i]?.text ?? [];
      const theirs = wellFormed
        ? returned.map((value) => (isSurrogate(value) ? 0xfffd : value))
        : returned;
      for (const practice of practices) {
        const expected = computeTexts(variant, bytes)[practice] ?? [];
        report(practice, same(theirs, join(variant, expected)), `returns ${points(theirs)}`);
      }
    }
    return { by, variant, id, confirms, differs };
  });
}
