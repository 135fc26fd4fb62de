/** Holds what was computed against what other implementations say. */
import type { Aspect, Difference, Variant } from '../../../../packages/vectors/src/index.js';
import type { Peer } from '../../interop/src/peer.js';
import { type Case, toHex } from './case.js';
import { findVersion, type Implementation } from './implementation.js';
import { computeReading, computeTexts } from './reading.js';
import { variants } from './variant.js';

/** What one implementation says of one variant's reading of one case. */
export interface Confirmation {
  readonly by: string;
  readonly variant: Variant;
  readonly id: string;
  readonly confirms: readonly Aspect[];
  readonly differs: readonly Difference[];
}

/** An answer, read. */
interface Answer {
  /** Undefined for a fault. */
  readonly text?: readonly number[];
  readonly offset?: number;
  readonly length?: number;
  readonly incomplete?: boolean;
}

const isHigh = (unit = 0): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit = 0): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Joins surrogate pairs, so that code units and code points compare; numbers never pair. */
function join(variant: Variant, units: readonly number[]): readonly number[] {
  if (variants[variant].grammar.domain === '31 bits') return units;
  const text: number[] = [];
  for (const unit of units) {
    const before = text.at(-1);
    if (isHigh(before) && isLow(unit)) {
      text[text.length - 1] = 0x10000 + ((before as number) - 0xd800) * 0x400 + unit - 0xdc00;
    } else text.push(unit);
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
    // The words of iconv, which has no length to tell.
    ...(/^(EINVAL|EILSEQ)$/.test(words[1] ?? '') && { incomplete: words[1] === 'EINVAL' }),
  };
}

const isHalf = (codePoint: number): boolean => isHigh(codePoint) || isLow(codePoint);

/** A lone surrogate counts as a fault of which neither place nor length is known. */
const refuseLoneSurrogates = (answer: Answer): Answer => (answer.text?.some(isHalf) ? {} : answer);

const points = (text: readonly number[]): string =>
  text.map((codePoint) => codePoint.toString(16).toUpperCase().padStart(4, '0')).join(' ');

/** The text that a peer accepts. Only Perl reads FE and FF, as the beginnings of one large number. */
const print = (text: readonly number[], bytes: Uint8Array): string =>
  bytes.some((byte) => byte >= 0xfe) ? 'a number beyond 31 bits' : points(text);

const same = (a: readonly number[] | undefined, b: readonly number[]): boolean =>
  a?.join() === b.join();

/** Asks one implementation about all cases. */
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
    const judge = (on: Aspect, agrees: boolean, does: string): void => {
      if (agrees) confirms.push(on);
      else differs.push({ by, on, does });
    };
    const { accepts, text, fault } = computeReading(variant, bytes);
    const answer = decoded[i];
    if (answer) {
      const agrees = accepts ? same(answer.text, join(variant, text)) : !answer.text;
      const does = answer.text ? `accepts it as ${print(answer.text, bytes)}` : 'refuses it';
      judge('result', agrees, does);
      if (fault && !answer.text) {
        // Who does not say where it stopped is asked for the longest beginning that it accepts.
        const last = own.findLastIndex((prefix) => prefix.text !== undefined);
        const offset = wellFormed ? last : (answer.offset ?? last);
        judge('offset', offset === fault.offset, `stops at byte ${offset}`);
        if (answer.length !== undefined && answer.offset === fault.offset) {
          const bytes = answer.length === 1 ? 'one byte' : `${answer.length} bytes`;
          judge('length', answer.length === fault.length, `reads ${bytes} as one fault`);
        }
        if (answer.incomplete !== undefined && answer.offset === fault.offset) {
          const does = `calls it ${answer.incomplete ? 'incomplete' : 'invalid'}`;
          judge('incomplete', answer.incomplete === fault.incomplete, does);
        }
      }
    }
    // Where nothing is replaced, `result` has said it all.
    if (replace && fault) {
      const [, ...practices] = replace;
      const units = replaced[i]?.text ?? [];
      const theirs = wellFormed ? units.map((unit) => (isHalf(unit) ? 0xfffd : unit)) : units;
      for (const practice of practices) {
        const expected = computeTexts(variant, bytes)[practice] ?? [];
        judge(practice, same(theirs, join(variant, expected)), `returns ${points(theirs)}`);
      }
    }
    return { by, variant, id, confirms, differs };
  });
}
