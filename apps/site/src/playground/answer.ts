/** The answer to "what is this?": a title, an example before and after, and the reason, from the sources of the command. */
import { Transcoder } from '@utf8/core';
import { codecFor, type Label, type Report } from '@utf8/detect';
import { type Explanation, type Note, Notes, split } from '@utf8/explain';
import type { Step } from './advice.js';
import { policyOf } from './conversion.js';
import { formatHex, spellVisibly } from './notation.js';

/** Sequences of context around the first one that UTF-8 refuses. */
const CONTEXT = 4;
/** Most bytes of an example. */
const EXAMPLE = 24;

/** The answer that the page shows first. */
export interface Answer {
  readonly tone: 'good' | 'bad' | 'doubt';
  readonly title: string;
  /** Sentences about the first bytes that UTF-8 refuses. */
  readonly reasons: readonly string[];
  /** These bytes with their neighbours, before and after the recommended conversion. */
  readonly example: Example | undefined;
}

/** Bytes and text before and after a conversion. */
export interface Example {
  readonly bytes: string;
  /** The text that programs show which expect UTF-8. */
  readonly shown: string;
  readonly result: string;
  readonly text: string;
}

/** The facts of an answer. */
interface Facts {
  readonly report: Report;
  readonly refusal: string | undefined;
  readonly hasMojibake: boolean;
  readonly doubts: readonly string[];
  /** Tells whether the scan found nothing; undefined without one. */
  readonly isClean: boolean | undefined;
  /** True if text hides a character. */
  readonly isAttack: boolean;
  /** True if the scan stopped before the end. */
  readonly isStopped: boolean;
  readonly steps: readonly Step[];
  /** The explained part of the input, and its sequences with offsets from its start. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sequences: readonly Explanation[];
}

export function answer(facts: Facts): Answer {
  const { report, refusal, steps, bytes, sequences } = facts;
  const notes = new Notes();
  for (const sequence of split(bytes)) notes.add(sequence);
  const known = notes.list();
  const [conversion] = steps.flatMap((step) => step.conversion ?? []);
  // The explained part may begin or end within a pair.
  const isWhole = ({ variants }: Explanation): boolean =>
    conversion?.errors !== 'fail' || variants[conversion.from].isWellFormed;
  const at = sequences.findIndex((each) => !each.variants['utf-8'].isWellFormed && isWhole(each));
  const note = known.find(({ kind }) => kind === sequences[at]?.kind);
  const { malformed, rawNul } = report.counts;
  // Binary data breaks every rule.
  const isNoted = refusal === undefined && (rawNul === 0 || malformed < report.bytes / 2);
  return {
    ...entitle(facts, note, sequences[at]),
    reasons: note && isNoted ? note.paragraphs.slice(0, -2) : [],
    example: conversion && at >= 0 ? show(sequences, at, bytes, conversion, isWhole) : undefined,
  };
}

/** Names the input in the words of those who meet it. */
function entitle(
  { report, refusal, hasMojibake, doubts, isAttack, isClean, isStopped, steps }: Facts,
  note: Note | undefined,
  first: Explanation | undefined,
): Pick<Answer, 'tone' | 'title'> {
  if (refusal !== undefined) return { tone: 'bad', title: 'Not text' };
  const { verdict, counts, isAscii, bytes, variants } = report;
  const { label } = verdict;
  if (isClean && label !== 'utf-8') {
    return doubts.length > 0
      ? { tone: 'doubt', title: 'Nothing to convert, but perhaps damaged before' }
      : { tone: 'good', title: 'Nothing to convert: the scan of this dump finds nothing' };
  }
  const character = first?.character ?? '';
  if (isAttack) {
    return { tone: 'bad', title: `${character || 'A character'} in a hidden form: an attack` };
  }
  if (label === undefined) {
    const at = variants.find((each) => each.label === verdict.nearest);
    const isCut = at?.fault?.incomplete ?? false;
    const { twoByte, threeByte, fourByte, pairs, modifiedNul } = counts;
    const isOther =
      counts.malformed * 2 > bytes || twoByte + threeByte + fourByte + pairs + modifiedNul === 0;
    const isLegacy = steps.some(({ conversion }) => conversion?.errors === 'windows-1252');
    if (isLegacy) return { tone: 'bad', title: 'Not UTF-8: one byte for each character' };
    const title = isCut
      ? 'Cut off in the middle of a character'
      : isOther
        ? 'Not UTF-8, and no relative of it'
        : 'Mixed or damaged text';
    return { tone: 'bad', title };
  }
  if (label === 'utf-8') {
    if (hasMojibake) return { tone: 'doubt', title: 'UTF-8 that was encoded twice' };
    if (isClean === false) return { tone: 'doubt', title: 'Valid UTF-8, but see the findings' };
    if (isStopped) return { tone: 'doubt', title: 'Valid UTF-8, but not all of it was scanned' };
    if (doubts.length > 0) return { tone: 'doubt', title: 'Valid UTF-8, perhaps damaged before' };
    return { tone: 'good', title: isAscii ? 'ASCII: valid UTF-8' : 'Valid UTF-8' };
  }
  if ((label === 'cesu-8' || label === 'mutf-8') && note?.origin) {
    const isAlone = first?.length === bytes;
    const shown = character === '' ? 'text' : isAlone ? character : `text with ${character}`;
    const title = `${shown} as ${note.origin} store it`;
    return { tone: 'bad', title: title.replace(/^t/, 'T') };
  }
  return { tone: 'bad', title: titles[label] ?? `Text in ${label}, not UTF-8` };
}

const titles: Readonly<Partial<Record<Label, string>>> = {
  'cesu-8-lenient': 'A surrogate without its partner: text that was cut',
  'cesu-8+utf-8': 'UTF-8 and CESU-8 mixed: text of several programs',
  'mutf-8-lenient': 'U+0000 in two forms',
  'wtf-8': 'Text as JavaScript and Windows file names have it',
  rfc2279: 'Numbers above Unicode, as UTF-8 had them until 2003',
};

/** Converts a sequence with its neighbours. */
function show(
  sequences: readonly Explanation[],
  at: number,
  bytes: Uint8Array<ArrayBuffer>,
  { from, errors }: NonNullable<Step['conversion']>,
  isWhole: (sequence: Explanation) => boolean,
): Example {
  let start = at;
  while (start > Math.max(0, at - CONTEXT) && isWhole(sequences[start - 1] as Explanation)) start--;
  let end = at;
  const startAt = sequences[start]?.offset ?? 0;
  const endOf = (i: number): number => (sequences[i]?.offset ?? 0) + (sequences[i]?.length ?? 0);
  for (let next = sequences[end + 1]; next && isWhole(next); next = sequences[end + 1]) {
    if (endOf(end + 1) - startAt > EXAMPLE) break;
    end++;
  }
  const part = bytes.slice(startAt, endOf(end));
  const transcoder = new Transcoder(codecFor(from), codecFor('utf-8'), {
    errors: policyOf(errors),
  });
  const result = [...transcoder.push(part), ...transcoder.flush()];
  const read = (some: Uint8Array<ArrayBuffer>): string =>
    spellVisibly(new TextDecoder('utf-8', { ignoreBOM: true }).decode(some));
  return {
    bytes: formatHex(part),
    shown: read(part),
    result: formatHex(result),
    text: read(Uint8Array.from(result)),
  };
}
