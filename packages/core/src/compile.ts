/**
 * The compiler: turns a grammar into what `npm run generate` writes. Only builds use it.
 *
 * @internal
 * @packageDocumentation
 */
export { type ByteRole, deriveByteMap } from './compile/byte-map.js';
export type { Subject } from './compile/documentation.js';
export {
  type KernelFacts,
  type KernelPlan,
  planKernel,
  type Surrogates,
  type ValidatorPlan,
} from './compile/kernel-plan.js';
export type { Lookup } from './compile/lookup.js';
export { writeLoops } from './compile/loops.js';
export {
  HEADER,
  type ModuleOptions,
  writeKernel,
  writeModule,
  writePacked,
} from './compile/module.js';
export { packGrammar } from './compile/pack.js';
