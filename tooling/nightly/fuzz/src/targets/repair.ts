import { codecFor, labels } from '@utf8/detect';
import {
  createRepairer,
  errorsPolicies,
  type FormatSyntax,
  findMojibake,
  findNuls,
  mojibakePolicies,
  nulPolicies,
  type Repair,
  type Repairer,
  RepairOptionError,
  type RepairOptions,
  sequencesOfNul,
  surrogatePolicies,
} from '@utf8/repair';
import { attempt } from '../codec.js';
import { compose } from '../input.js';
import { require, requireEqual, requireSame, type Target } from '../target.js';
import { vectorInputs } from '../vectors.js';

const ascii = (text: string): Uint8Array => Buffer.from(text);

const syntaxes: readonly (FormatSyntax | undefined)[] = [
  undefined,
  { quote: (text) => text.replaceAll('\\', '\\\\'), nuls: [ascii('\\0')] },
  {
    quote: (text) => JSON.stringify(text).slice(1, -1),
    escapeUnit: (unit) => `\\u${unit.toString(16).padStart(4, '0')}`,
    nuls: [ascii('\\u0000')],
  },
];

const repairers = new Map<string, Repairer | RepairOptionError>();

function repairerOf(choices: RepairOptions, syntax: number): Repairer | RepairOptionError {
  const key = JSON.stringify([choices, syntax]);
  let repair = repairers.get(key);
  if (!repair) {
    const options = { ...choices, syntax: syntaxes[syntax] };
    repair = attempt(() => createRepairer(options), RepairOptionError);
    repairers.set(key, repair);
  }
  return repair;
}

/** Findings are in order, cover what differs, and are all there is between the text and the result. */
function checkFindings(bytes: Uint8Array, { bytes: result, findings }: Repair): void {
  let [from, to] = [0, 0];
  for (const { offset, length, becomes } of findings) {
    require(offset >= from && offset + length <= bytes.length, 'findings overlap');
    const kept = offset - from;
    requireSame(result.subarray(to, to + kept), bytes.subarray(from, offset), 'between findings');
    to += kept;
    from = offset + length;
    const expected = becomes ?? bytes.subarray(offset, from);
    requireSame(result.subarray(to, to + expected.length), expected, 'a finding');
    to += expected.length;
  }
  requireSame(result.subarray(to), bytes.subarray(from), 'after all findings');
}

export const target: Target = {
  title: 'repairs of one text under every policy',
  maxLength: 1024,
  *seeds() {
    for (const [i, bytes] of vectorInputs().entries()) {
      yield compose(bytes, i % labels.length, i % 5, i % 4, i % 4, i % 6, i % 2, i % 3, i % 3);
    }
    for (const text of ['Ã©tÃ©', 'â€œquotedâ€\x9d', 'ÃƒÂ©', '\\ud83d\\ude00', '\\0a\\u0000']) {
      yield compose(text, 0, 0, 0, 0, 1, 1, 0, 0);
    }
  },
  run(input) {
    const choices: RepairOptions = {
      from: input.pick(labels),
      to: input.pick(labels),
      unpairedSurrogates: input.pick(surrogatePolicies),
      nul: input.pick(nulPolicies),
      errors: input.pick(errorsPolicies),
      mojibake: input.pick(mojibakePolicies),
    };
    const syntax = input.below(syntaxes.length);
    const escapes = input.pick([undefined, true, false]);
    const repair = repairerOf(choices, syntax);
    if (repair instanceof RepairOptionError) return;
    const bytes = input.rest();
    const copy = Uint8Array.from(bytes);
    const found = repair(bytes, { escapes });
    requireSame(bytes, copy, 'the text was written to');
    if (found.status === 'unchanged') {
      require(found.bytes === bytes, 'unchanged bytes are others');
      requireEqual(found.findings.length, 0, 'findings in what is unchanged');
    } else require(found.findings.length > 0, 'no findings');
    if (repair.isClean(bytes)) requireEqual(found.status, 'unchanged', 'a clean text');
    checkFindings(bytes, found);
    const isRefused = found.findings.some(({ becomes }) => becomes === undefined);
    requireEqual(found.status === 'rejected', isRefused, 'whether it is rejected');
    findMojibake(bytes);
    for (const { offset, length } of findNuls(
      bytes,
      sequencesOfNul(codecFor(choices.from as string)),
    )) {
      require(offset + length <= bytes.length, 'U+0000 beyond the end');
    }
    if (isRefused) return;
    requireEqual(codecFor(choices.to as string).isValid(found.bytes), true, 'a well-formed result');
    const again = repairerOf({ ...choices, from: choices.to as string }, syntax);
    require(!(again instanceof RepairOptionError), 'a repairer of what is repaired');
    requireEqual(
      again(found.bytes, { escapes }).status,
      'unchanged',
      'a repair of what is repaired',
    );
  },
};
