/** Byte strings of the vectors that the repository has. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './place.js';

let inputs: readonly Buffer[] | undefined;

/** Every different input of a vector, the short ones first. */
export function vectorInputs(): readonly Buffer[] {
  inputs ??= readInputs();
  return inputs;
}

function readInputs(): Buffer[] {
  const file = path.join(root, 'packages/vectors/generated/vectors.json');
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') {
      if (/^(?:[\da-f]{2})+$/i.test(value)) found.add(value.toLowerCase());
    } else if (value !== null && typeof value === 'object') Object.values(value).forEach(collect);
  };
  collect(JSON.parse(readFileSync(file, 'utf8')));
  const all = Array.from(found, (hex) => Buffer.from(hex, 'hex'));
  return all.filter(({ length }) => length <= 256).sort((a, b) => a.length - b.length);
}
