/** Invariants of any bytes that are read as a class file. Each function throws if one is violated. */
import {
  ClassFileError,
  kinds,
  readClass,
  readStrings,
  readUses,
  replaceStrings,
  type StringUse,
} from '@utf8/classfile';
import type { Random } from '../../interop/src/random.js';

/** The result, or undefined where the file is refused. */
function orRefused<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof ClassFileError) return undefined;
    throw error;
  }
}

/** Tells whether an error is about a limit of class files, and not about an engine's full stack. */
const isLimit = (error: unknown): boolean =>
  error instanceof RangeError &&
  /a class file allows at most|the pool is full|ldc has no room/.test(error.message);

const ignore = (): void => undefined;
const anyhow = { lenient: ignore, errors: 'replace' } as const;

/** Lists the kinds of each string, as its uses report them. */
function listUses(file: Uint8Array, options = {}): string[] {
  const found = new Map<number, Set<string>>();
  let last = -1;
  for (const use of readUses(file, options)) {
    if (use.offset <= last) throw new Error('uses are not in the order of the file');
    last = use.offset;
    const { index } = use.string;
    if (!found.has(index)) found.set(index, new Set());
    found.get(index)?.add(use.kind);
  }
  return Array.from(readStrings(file, options), ({ index }) =>
    kinds.filter((kind) => found.get(index)?.has(kind)).join('+'),
  );
}

const listKinds = (file: Uint8Array, options = {}): string[] =>
  Array.from(readStrings(file, options), ({ kinds }) => kinds.join('+').replace('unused', ''));

/** Reads the readable parts of a file, if its pool can be read. */
function visitLeniently(file: Uint8Array, isSound: boolean): void {
  const told: ClassFileError[] = [];
  const lenient = (error: ClassFileError): void => void told.push(error);
  const strings = orRefused(() => [...readStrings(file, { ...anyhow, lenient })]);
  if (!strings) {
    if (isSound) throw new Error('lenient refuses it');
    return;
  }
  if (isSound && told.length > 0) throw new Error('a fault of a sound file');
  if (listUses(file, anyhow).join() !== listKinds(file, anyhow).join()) {
    throw new Error('other uses, leniently');
  }
  const { constants } = readClass(file, anyhow);
  if (constants.length === 0) throw new Error('no class');
  const same = replaceStrings(file, () => undefined, anyhow);
  if (!Buffer.from(file).equals(same)) throw new Error('differs, leniently');
}

/** Kinds that do not depend on what another string says. */
const independent = [
  'literal',
  'recipe',
  'record-components',
  'lambda',
  'enum-constant',
  'bootstrap-argument',
  'annotation',
  'source',
] as const;

/** Looks whether uses are what kinds say, replaces some, and looks whether just these are replaced. */
function visitUses(file: Uint8Array, random: Random): void {
  if (listUses(file).join() !== listKinds(file).join()) throw new Error('other uses');
  const chosen = new Set<number>();
  const where = ({ offset }: StringUse): boolean => {
    if (random.below(2) === 0) return false;
    chosen.add(offset);
    return true;
  };
  const onKept = ({ offset }: StringUse): void => void chosen.delete(offset);
  const options = { kinds: independent, where, onKept };
  let changed: Uint8Array;
  try {
    changed = replaceStrings(file, ({ string }) => `${string}!`, options);
  } catch (error) {
    if (isLimit(error)) return;
    throw error;
  }
  const expected = Array.from(readUses(file), ({ string, offset }) =>
    chosen.has(offset) ? `${string.string}!` : string.string,
  );
  const found = Array.from(readUses(changed), ({ string }) => string.string);
  if (found.join('\n') !== expected.join('\n')) throw new Error('other uses are replaced');
}

/**
 * Reads a file in every way.
 *
 * @returns Whether it is read, rather than refused.
 */
export function visit(file: Uint8Array, random: Random): boolean {
  const lossy = orRefused(() => [...readStrings(file, { errors: 'backslashreplace' })]);
  const strings = orRefused(() => [...readStrings(file)]);
  const parsed = orRefused(() => readClass(file));
  if ((strings === undefined) !== (parsed === undefined)) throw new Error('one way reads it only');
  if (strings && strings.length !== lossy?.length) throw new Error('a policy loses strings');
  // These take longer than all the rest: a part of the files will do.
  if (random.below(parsed ? 4 : 8) === 0) visitLeniently(file, strings !== undefined);
  if (!parsed || !strings) return false;
  if (random.below(4) === 0) visitUses(file, random);
  if (parsed.constants.length === 0 || typeof parsed.name !== 'string') throw new Error('no class');
  if (!Buffer.from(file).equals(replaceStrings(file, () => undefined))) throw new Error('differs');
  let changed: Uint8Array;
  try {
    changed = replaceStrings(file, ({ string }) => `${string}😀`);
  } catch (error) {
    if (isLimit(error)) return true;
    throw error;
  }
  const literals = (list: typeof strings): string[] =>
    list.filter(({ kinds }) => kinds.includes('literal')).map(({ string }) => string);
  const expected = literals(strings).map((text) => `${text}😀`);
  const written = literals([...readStrings(changed)]);
  // Those for which a constant was added come last.
  if (expected.sort().join('\n') !== written.sort().join('\n')) throw new Error('other literals');
  return true;
}
