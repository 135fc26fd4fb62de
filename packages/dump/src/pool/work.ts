/** Work on segments: a function of one segment, identical in every thread. */
import type {
  ControlPolicy,
  EqualKeyPolicy,
  ErrorsPolicy,
  InnerLengthPolicy,
  MojibakePolicy,
  NoncharacterPolicy,
  NulPolicy,
  SurrogatePolicy,
} from '@utf8/repair';
import type { Segment } from '../cut/segments.js';
import type { FormatOptions } from '../format/format.js';

/** Describes the function as plain data, which can be sent to a thread. */
export interface Task {
  readonly task: string;
}

/** Processes a segment. */
export interface Work {
  (segment: Segment): unknown;
  /** Memory in which segments may be processed where they are. */
  readonly memory?: Uint8Array | undefined;
}

/** A format by name, with its options. */
export interface FormatChoice {
  readonly name: string;
  readonly options: FormatOptions;
}

/** Policies with encodings by their labels. */
export interface RepairChoice {
  readonly from: string;
  readonly to: string;
  readonly errors: ErrorsPolicy;
  readonly nul: NulPolicy;
  readonly unpairedSurrogates: SurrogatePolicy;
  readonly equalJsonKeys?: EqualKeyPolicy | undefined;
  readonly noncharacters?: NoncharacterPolicy | undefined;
  readonly controls?: ControlPolicy | undefined;
  readonly mojibake: MojibakePolicy;
  readonly innerLengths?: InnerLengthPolicy | undefined;
}
