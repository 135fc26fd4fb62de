import { toUint8Array } from './bytes.js';
import type { Codec } from './codec.js';
import { describeFault } from './diagnosis.js';
import type { Engine } from './engine.js';
import type { Fault } from './fault.js';

/** The first fault at or after an index. */
function findFault(engine: Engine, bytes: Uint8Array, from: number): Fault | undefined {
  const boundary = engine.kernel.validate(bytes, from, bytes.length);
  return boundary < bytes.length ? describeFault(engine, bytes, boundary, 0) : undefined;
}

export function createIsValid(engine: Engine): Codec['isValid'] {
  const { kernel } = engine;
  return (input) => {
    // Nothing is returned of memory that may change meanwhile, so it need not be copied first.
    const bytes = input instanceof Uint8Array ? input : toUint8Array(input);
    return kernel.validate(bytes, 0, bytes.length) === bytes.length;
  };
}

export function createFindFault(engine: Engine): Codec['findFault'] {
  return (input, from = 0) => findFault(engine, toUint8Array(input), from);
}

export function createFaults(engine: Engine): Codec['faults'] {
  return (input) => {
    const bytes = toUint8Array(input);
    return {
      *[Symbol.iterator]() {
        for (let i = 0; ; ) {
          const fault = findFault(engine, bytes, i);
          if (!fault) return;
          yield fault;
          i = fault.offset + fault.length;
        }
      },
    };
  };
}
