/**
 * Detects which encodings of the UTF-8 family bytes are well-formed in, and finds codecs by label.
 *
 * @packageDocumentation
 */
export { Detector, detect } from './detector.js';
export {
  aliases,
  codecFor,
  type Label,
  LabelError,
  type LabelOptions,
  labelFor,
  labels,
  type Vendor,
  vendors,
} from './label.js';
export type {
  Counts,
  Evidence,
  Finding,
  FirstFault,
  Report,
  Unassigned,
  Verdict,
} from './report.js';
