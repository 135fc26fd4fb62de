/** Conversion of plain text, in whole characters. */
import { type Codec, DecodeError, type Fault, formatBytes, transcode } from '@utf8/core';
import { BlockTranscoder } from '@utf8/core/internal';
import { codecFor } from '@utf8/detect';
import type { ErrorsPolicy } from '@utf8/repair';
import { findNuls, NulFilter, type NulPolicy, sequencesOfNul, substitute } from '@utf8/repair';
import { advance, FIRST, type LineColumn } from '../cut/position.js';
import type { Segment } from '../cut/segments.js';
import { SEGMENT } from '../cut/segments.js';
import type { Task, Work } from '../pool/work.js';
import { findBom } from './bom.js';
import { type ChangeCounts, Changes } from './changes.js';
import { type EditList, Edits } from './edits.js';
import type { FaultRefusal } from './refusal.js';

/** Options for a conversion of plain text. */
export interface TranscribeOptions {
  readonly errors: ErrorsPolicy;
  readonly nul: NulPolicy;
  /** Drops U+FEFF at the start of the input. */
  readonly stripsBom: boolean;
  /** Counts characters and changes, which takes time. */
  readonly counts: boolean;
  /** Counts lines and columns, for input that cannot be read again. */
  readonly tracks: boolean;
  /** Gathers edits. */
  readonly undo: boolean;
}

/** Converts plain text. */
export interface TranscribeTask extends Task {
  readonly task: 'transcribe';
  readonly from: string;
  readonly to: string;
  readonly transcribe: TranscribeOptions;
}

/** Counts of a segment of plain text. */
export interface TextCounts {
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly characters: number;
  readonly bomsStripped: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly nuls: number;
  readonly changes: ChangeCounts | undefined;
}

/** Result for a segment. Its memory is reused for the next segment. */
export interface Transcribed {
  readonly output: Uint8Array;
  readonly edits: EditList | undefined;
  readonly counts: TextCounts;
  /** Refusal that ended the run; the output ends before it. The position is relative to the segment. */
  readonly refusal: Omit<FaultRefusal, 'file'> | undefined;
  /** The end of the segment relative to its start, if requested. */
  readonly moved: LineColumn | undefined;
}

/** A sequence that is refused, by its index in the segment. */
interface Flaw {
  readonly offset: number;
  readonly length: number;
  readonly reason: FaultRefusal['reason'];
  readonly isTargetAtFault: boolean;
}

/** Bytes of a segment, with the next bytes as far as they are known. */
type Text = Pick<Segment, 'bytes' | 'ahead' | 'offset'>;

const LF = 0x0a;

/** Creates the function that converts segments of plain text. */
export function createTranscription({ from, to, transcribe }: TranscribeTask): Work {
  const transcriber = new Transcriber(codecFor(from), codecFor(to), transcribe);
  const work = (segment: Segment): unknown => transcriber.transcribe(segment);
  return Object.assign(work, { memory: transcriber.memory });
}

/** Transcribes segments. The result for one depends on no other. */
export class Transcriber {
  /** Memory in which segments are transcribed where they are; undefined if they have to be kept. */
  readonly memory: Uint8Array | undefined;
  readonly #from: Codec;
  readonly #to: Codec;
  readonly #options: TranscribeOptions;
  readonly #transcoder: BlockTranscoder;
  /** Transcodes with a policy, which takes memory that no kernel works on. */
  readonly #lenientTranscoder: BlockTranscoder | undefined;
  readonly #nulFilter: NulFilter | undefined;
  /** Sequences of U+0000 that `nul: 'fail'` refuses. */
  readonly #refusedNuls: readonly Uint8Array[];
  readonly #changes: Changes | undefined;
  readonly #edits = new Edits();
  #text: Text = { bytes: new Uint8Array(), ahead: new Uint8Array(), offset: 0 };
  #faults: Record<string, number> = {};
  /** For each fault: offset and length in the source, and length in the result. */
  #spans: number[] = [];
  #copy = new Uint8Array();

  constructor(from: Codec, to: Codec, options: TranscribeOptions) {
    const { errors, nul, counts, tracks, undo } = options;
    const filtersNul = nul === 'remove' || nul === 'replace';
    this.#from = from;
    this.#to = to;
    this.#options = options;
    this.#transcoder = new BlockTranscoder(from, to);
    if (errors !== 'fail') {
      const repair = (fault: Fault, bytes: Uint8Array): string => this.#substitute(fault, bytes);
      this.#lenientTranscoder = new BlockTranscoder(from, to, { errors: repair });
    }
    if (filtersNul) this.#nulFilter = new NulFilter(to, nul === 'remove' ? '' : '\uFFFD');
    this.#refusedNuls = nul === 'fail' ? sequencesOfNul(from) : [];
    if (counts) this.#changes = new Changes(from, to, filtersNul);
    if (!counts && !tracks && !undo) this.memory = this.#transcoder.input;
  }

  transcribe(segment: Segment): Transcribed {
    const { nulSearch, text: start, bom } = this.#begin(segment);
    let text = start;
    let flaw: Flaw | undefined = nulSearch && {
      ...nulSearch,
      reason: 'nul',
      isTargetAtFault: false,
    };
    let good = text.bytes.subarray(0, flaw?.offset);
    let result = this.#transcodeClean(good);
    if (!result) {
      text = this.#text = this.#keep(text);
      good = text.bytes.subarray(0, good.length);
      try {
        result = (this.#lenientTranscoder ?? this.#transcoder).transcode(good);
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        flaw = this.#describe(text, error);
        // The text before the fault is written, however the input was cut.
        good = text.bytes.subarray(0, flaw.offset);
        this.#faults = {};
        this.#spans = [];
        result = this.#lenientTranscoder?.transcode(good) ?? transcode(good, this.#from, this.#to);
      }
    }
    const counts = this.#count(good, result, bom);
    const output = this.#nulFilter?.filter(result) ?? result;
    this.#edits.clear();
    if (this.#options.undo) {
      this.#addEdits(segment.bytes.subarray(0, bom + good.length), output);
    }
    const nuls = this.#nulFilter?.count ?? 0;
    if (this.#nulFilter) this.#nulFilter.count = 0;
    return {
      output,
      edits: this.#options.undo ? this.#edits.list : undefined,
      counts: { ...counts, bytesWritten: output.length, faults: this.#faults, nuls },
      refusal: flaw && this.#locate(text, flaw, bom),
      moved: this.#options.tracks ? advance(FIRST, segment.bytes, this.#from) : undefined,
    };
  }

  /** Finds bytes to handle before transcoding: U+FEFF to drop, and U+0000 to refuse. */
  #begin(segment: Segment) {
    this.#faults = {};
    this.#spans = [];
    const isStart = this.#options.stripsBom && segment.offset === 0;
    const [found] = findNuls(segment.bytes, this.#refusedNuls);
    let text: Text = isStart || found ? this.#keep(segment) : segment;
    const bom = isStart ? findBom(this.#from, text.bytes) : 0;
    if (bom > 0) {
      const { bytes, ahead, offset } = text;
      text = { bytes: bytes.subarray(bom), ahead, offset: offset + bom };
    }
    return { text, bom, nulSearch: found && { ...found, offset: found.offset - bom } };
  }

  /** Returns undefined at a fault. */
  #transcodeClean(bytes: Uint8Array): Uint8Array | undefined {
    try {
      const result = this.#transcoder.transcode(bytes);
      // Bytes that are read again must not be in memory that a codec may use.
      return this.memory ? result : result.slice();
    } catch (error) {
      if (error instanceof DecodeError) return undefined;
      throw error;
    }
  }

  /** Copies text out of the memory of kernels. */
  #keep({ bytes, ahead, offset }: Text): Text {
    if (!this.memory) return { bytes, ahead, offset };
    const length = bytes.length + ahead.length;
    if (this.#copy.length < length) this.#copy = new Uint8Array(Math.max(length, 2 * SEGMENT));
    this.#copy.set(bytes);
    this.#copy.set(ahead, bytes.length);
    return {
      bytes: this.#copy.subarray(0, bytes.length),
      ahead: this.#copy.subarray(bytes.length, length),
      offset,
    };
  }

  #substitute(fault: Fault, bytes: Uint8Array): string {
    const { errors } = this.#options;
    const text = substitute(errors as Exclude<ErrorsPolicy, 'fail'>, bytes);
    if (text === undefined) throw new DecodeError(this.#from.name, fault, bytes);
    const reason = findReason(this.#from, this.#text, fault);
    this.#faults[reason] = (this.#faults[reason] ?? 0) + 1;
    if (this.#changes) this.#spans.push(fault.offset, fault.length, this.#to.byteLength(text));
    return text;
  }

  #describe(text: Text, error: DecodeError): Flaw {
    const { offset, length } = error;
    return {
      offset,
      length,
      reason: findReason(this.#from, text, error),
      isTargetAtFault: this.#from.isValid(text.bytes.subarray(offset, offset + length)),
    };
  }

  #count(good: Uint8Array, result: Uint8Array, bom: number) {
    const isCounted = this.#changes !== undefined;
    return {
      bytesRead: bom + good.length,
      characters: (isCounted ? this.#from.countCodePoints(good) : 0) + (bom > 0 ? 1 : 0),
      bomsStripped: bom > 0 ? 1 : 0,
      changes: this.#changes?.count(good, result, this.#spans),
    };
  }

  /** Adds an edit for each line that changed: line feeds are the same in all encodings. */
  #addEdits(source: Uint8Array, output: Uint8Array): void {
    let at = 0;
    for (let start = 0; start < source.length; ) {
      const end = endOfLine(source, start);
      const to = end === source.length ? output.length : endOfLine(output, at);
      const [before, after] = [source.subarray(start, end), output.subarray(at, to)];
      if (Buffer.compare(before, after) !== 0) this.#edits.add(at, before, after);
      start = end;
      at = to;
    }
  }

  #locate({ bytes, offset }: Text, flaw: Flaw, bom: number): Omit<FaultRefusal, 'file'> {
    const before = bytes.subarray(0, flaw.offset);
    const { line, column } = advance(FIRST, before, this.#from);
    return {
      line,
      column: line === 1 && bom > 0 ? column + 1 : column,
      offset: offset + flaw.offset,
      length: flaw.length,
      reason: flaw.reason,
      bytes: formatBytes(bytes.subarray(flaw.offset, flaw.offset + flaw.length)),
      isTargetAtFault: flaw.isTargetAtFault,
    };
  }
}

function endOfLine(bytes: Uint8Array, start: number): number {
  const feed = bytes.indexOf(LF, start);
  return feed === -1 ? bytes.length : feed + 1;
}

/**
 * Finds the reason of a fault as if its segment went on: whether a lead at the end is overlong, a
 * surrogate, or only truncated depends on the next bytes.
 */
export function findReason(
  codec: Codec,
  { bytes, ahead }: Pick<Segment, 'bytes' | 'ahead'>,
  fault: Pick<Fault, 'offset' | 'length' | 'reason'>,
): Fault['reason'] {
  if (fault.length > 1 || fault.offset + 1 < bytes.length || ahead.length === 0)
    return fault.reason;
  const context = new Uint8Array([bytes[fault.offset] as number, ...ahead]);
  return codec.findFault(context)?.reason ?? fault.reason;
}
