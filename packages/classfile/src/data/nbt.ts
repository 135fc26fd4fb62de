/**
 * NBT of Minecraft's Java edition: named tags in big-endian order.
 *
 * @see net.minecraft.nbt.NbtIo; https://minecraft.wiki/w/NBT_format
 */

import { type Path, ROOT } from './path.js';
import { type Context, readI4, readShortText, readU1, type StringSteps } from './reader.js';

const Tag = {
  End: 0,
  ByteArray: 7,
  String: 8,
  List: 9,
  Compound: 10,
  IntArray: 11,
  LongArray: 12,
} as const;

/** Bytes of a number by its tag, or of an element of an array. */
const sizes: readonly number[] = [0, 1, 2, 4, 8, 4, 8, 1, 0, 0, 0, 4, 8];
const LAST = sizes.length - 1;

/** Levels of tags that Minecraft reads. */
const DEPTH = 512;

/** A compound, or a list with the rest of its elements. */
interface Level {
  readonly path: Path;
  /** Tag of a list's elements; undefined for a compound. */
  readonly element: number | undefined;
  readonly count: number;
  next: number;
}

export function* readNbt(context: Context): StringSteps {
  const { input, tell } = context;
  if ((yield* readU1(input, '')) !== Tag.Compound) {
    throw input.error('not-data', '', 'NBT begins with a compound tag', 1);
  }
  const name = yield* readName(context, ROOT);
  // Most files have a root without a name, which paths leave out.
  const root = `${name}` === '""' ? ROOT : name;
  const levels: Level[] = [{ path: root, element: undefined, count: 0, next: 0 }];
  while (levels.length > 0) {
    const level = levels.at(-1) as Level;
    if (level.element === undefined) {
      const tag = yield* readU1(input, level.path);
      if (tag === Tag.End) {
        levels.pop();
        continue;
      }
      if (tag > LAST) throw input.error('invalid-tag', level.path, `unknown tag ${tag}`, 1);
      const named = yield* readName(context, level.path);
      yield* readPayload(context, tag, named, levels);
    } else if (level.next === level.count) {
      levels.pop();
    } else {
      const path = level.path.add(level.next++);
      yield* readPayload(context, level.element, path, levels);
    }
  }
  if (yield* input.isAtEnd()) return;
  tell(input.error('excess-bytes', '', 'bytes follow the end of the root'));
}

/** Reads the name of a tag, and returns the tag's path. */
function* readName(context: Context, parent: Path): StringSteps<Path> {
  const { input, strings } = context;
  if (!input.has(2)) yield* input.need(2, parent);
  const length = input.u2();
  const { offset } = input;
  const bytes = yield* input.bytes(length, parent);
  // The path contains the name, so that both are decoded at once.
  const path = parent.add(strings.decode(bytes));
  yield strings.create(bytes, offset, path, 'name');
  return path;
}

function* readPayload(context: Context, tag: number, path: Path, levels: Level[]): StringSteps {
  const { input } = context;
  if (tag === Tag.String) {
    yield* readShortText(context, path, 'value');
  } else if (tag === Tag.Compound) {
    enter({ path, element: undefined, count: 0, next: 0 });
  } else if (tag === Tag.List) {
    const element = yield* readU1(input, path);
    const count = yield* readI4(input, path);
    if (count <= 0) return;
    if (element > LAST) throw input.error('invalid-tag', path, `unknown tag ${element}`, 5);
    if (element === Tag.End) {
      throw input.error('invalid-value', path, `a list has ${count} elements without a type`, 4);
    }
    const size = element < Tag.ByteArray ? (sizes[element] as number) : 0;
    if (size > 0) yield* input.skip(size * count, path);
    else enter({ path, element, count, next: 0 });
  } else if (tag === Tag.ByteArray || tag === Tag.IntArray || tag === Tag.LongArray) {
    const count = yield* readI4(input, path);
    if (count < 0) throw input.error('invalid-value', path, `an array has the length ${count}`, 4);
    yield* input.skip((sizes[tag] as number) * count, path);
  } else {
    yield* input.skip(sizes[tag] as number, path);
  }

  function enter(level: Level): void {
    if (levels.length >= DEPTH) {
      throw input.error('depth', path, `tags are nested more than ${DEPTH} levels deep`);
    }
    levels.push(level);
  }
}
