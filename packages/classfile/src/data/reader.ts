/** Functions that the readers of all formats share. */
import type { DataError } from './error.js';
import type { Input, MORE, Steps } from './input.js';
import type { Place } from './path.js';
import type { DataKind, DataString, Strings } from './string.js';

/** Steps of a reader that yields strings. */
export type StringSteps<Result = void> = Generator<typeof MORE | DataString, Result, undefined>;

/** The source and the results of a reader. */
export interface Context {
  readonly input: Input;
  readonly strings: Strings;
  /** Receives an error. Returns if reading can continue, and throws it otherwise. */
  readonly tell: (error: DataError) => void;
}

/** Most bytes of a string; a JavaScript string rarely has more. */
const MOST = 1 << 28;

/** Reads the text of a known length, and yields it. Returns its bytes; undefined if they are too many. */
export function* readText(
  { input, strings, tell }: Context,
  length: number,
  path: Place,
  kind: DataKind,
): StringSteps<DataString | undefined> {
  if (length > MOST) {
    tell(input.error('too-large', path, `a string has ${length} bytes, and ${MOST} can be read`));
    yield* input.skip(length, path);
    return undefined;
  }
  const { offset } = input;
  const bytes = yield* input.bytes(length, path);
  const string = strings.create(bytes, offset, path, kind);
  yield string;
  return string;
}

/** Reads a text after its length in two bytes. */
export function* readShortText(
  context: Context,
  path: Place,
  kind: DataKind,
): StringSteps<DataString> {
  const { input } = context;
  if (!input.has(2)) yield* input.need(2, path);
  return (yield* readText(context, input.u2(), path, kind)) as DataString;
}

export function* readU1(input: Input, path: Place): Steps<number> {
  if (!input.has(1)) yield* input.need(1, path);
  return input.u1();
}

export function* readU2(input: Input, path: Place): Steps<number> {
  if (!input.has(2)) yield* input.need(2, path);
  return input.u2();
}

/** Reads a signed number of four bytes. */
export function* readI4(input: Input, path: Place): Steps<number> {
  if (!input.has(4)) yield* input.need(4, path);
  return input.i4();
}
