/**
 * Identifies the variant of UTF-8 that a program implements, its treatment of malformed bytes, and its
 * deviations.
 *
 * @packageDocumentation
 */
export type { Answer } from './answer.js';
export type { Deviation, Example } from './deviation.js';
export type { Resemblance } from './fingerprint.js';
export type { ModeName } from './mode.js';
export { RAW } from './mode.js';
export { type Practice, practices } from './practice.js';
export { type ProbeOptions, type ProbeReport, probe, type VectorAnswer } from './probe.js';
export type { DeviationKind } from './quirk.js';
export { type Output, ProbeError, type Read } from './subject.js';
