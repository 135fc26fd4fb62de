/**
 * Streams of Java serialization. Objects may be nested as deeply as a list is long, so the parts to read are on a
 * stack of our own.
 *
 * @see Java Object Serialization Specification, section 6.4
 */

import { Path, ROOT } from './path.js';
import {
  type Context,
  readI4,
  readShortText,
  readText,
  readU1,
  readU2,
  type StringSteps,
} from './reader.js';
import type { DataKind } from './string.js';

const TC = {
  NULL: 0x70,
  REFERENCE: 0x71,
  CLASSDESC: 0x72,
  OBJECT: 0x73,
  STRING: 0x74,
  ARRAY: 0x75,
  CLASS: 0x76,
  BLOCKDATA: 0x77,
  ENDBLOCKDATA: 0x78,
  RESET: 0x79,
  BLOCKDATALONG: 0x7a,
  EXCEPTION: 0x7b,
  LONGSTRING: 0x7c,
  PROXYCLASSDESC: 0x7d,
  ENUM: 0x7e,
} as const;

const MAGIC = 0xaced;
const VERSION = 5;

/** The handle of the first object. */
const FIRST_HANDLE = 0x7e0000;

/** Flags of a class. */
const SC = { WRITE_METHOD: 1, SERIALIZABLE: 2, EXTERNALIZABLE: 4, BLOCK_DATA: 8 } as const;

/** Bytes of a primitive value by its type code; 0 for objects and arrays. */
const sizes: Readonly<Record<string, number>> = {
  B: 1,
  C: 2,
  D: 8,
  F: 4,
  I: 4,
  J: 8,
  S: 2,
  Z: 1,
  L: 0,
  '[': 0,
};

interface Field {
  readonly name: string;
  /** Bytes of its value; 0 for an object. */
  readonly size: number;
}

/** A class as the stream describes it. */
interface ClassDesc {
  readonly name: string;
  flags: number;
  fields: Field[];
  /** The nearest class whose objects have data: this one or a superclass. */
  layer: Layer | undefined;
  /** False until its superclass has been read. */
  isComplete: boolean;
}

/** A class whose objects have data, and its next such superclass. */
interface Layer {
  readonly desc: ClassDesc;
  readonly above: Layer | undefined;
}

/** Reads a part, and pushes the parts after it. */
type Part = () => StringSteps | undefined;

export function readSerialization(context: Context): StringSteps {
  return new Reader(context).read();
}

class Reader {
  readonly #context: Context;
  /** The parts to read, the next one last. */
  readonly #parts: Part[] = [];
  /** Classes by their handles. */
  #classes = new Map<number, ClassDesc>();
  #nextHandle = FIRST_HANDLE;
  /** The class that was read last; undefined for null. */
  #desc: ClassDesc | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  *read(): StringSteps {
    const { input, tell } = this.#context;
    yield* input.need(4, '');
    if (input.u2() !== MAGIC) throw input.error('not-data', '', 'a stream begins with AC ED', 2);
    const version = input.u2();
    if (version !== VERSION) {
      tell(input.error('invalid-value', '', `the version is ${version}, not ${VERSION}`, 2));
    }
    for (let index = 0; !(yield* input.isAtEnd()); index++) {
      yield* this.#content(ROOT, index);
      for (let part = this.#parts.pop(); part; part = this.#parts.pop()) {
        const steps = part();
        if (steps) yield* steps;
      }
    }
  }

  /** Reads one item of contents: an object, or data. Returns false at their end. */
  *#content(path: Path, index: number): StringSteps<boolean> {
    const { input } = this.#context;
    const tag = yield* readU1(input, path);
    if (tag === TC.ENDBLOCKDATA && path !== ROOT) return false;
    if (tag === TC.BLOCKDATA) {
      yield* input.skip(yield* readU1(input, path), path);
    } else if (tag === TC.BLOCKDATALONG) {
      const length = yield* readI4(input, path);
      if (length < 0) throw input.error('invalid-value', path, `data have the length ${length}`, 4);
      yield* input.skip(length, path);
    } else if (tag === TC.RESET) {
      this.#reset();
    } else {
      yield* this.#object(tag, path.add(index));
    }
    return true;
  }

  /** Pushes a part that reads nothing. */
  #push(action: () => void): void {
    this.#parts.push(() => {
      action();
      return undefined;
    });
  }

  /** Reads contents up to their end. */
  *#contents(path: Path, index = 0): StringSteps {
    this.#parts.push(() => this.#contents(path, index + 1));
    if (!(yield* this.#content(path, index))) this.#parts.pop();
  }

  #reset(): void {
    this.#classes = new Map();
    this.#nextHandle = FIRST_HANDLE;
  }

  /** Reads an object whose tag has been read. */
  *#object(tag: number, path: Path, kind: DataKind = 'value'): StringSteps {
    const { input } = this.#context;
    switch (tag) {
      case TC.NULL:
        return;
      case TC.REFERENCE:
        yield* this.#reference(path);
        return;
      case TC.STRING:
      case TC.LONGSTRING:
        yield* this.#string(tag, path, kind);
        return;
      case TC.CLASSDESC:
      case TC.PROXYCLASSDESC:
        yield* this.#newClassDesc(tag, path);
        return;
      case TC.CLASS:
        this.#push(() => this.#nextHandle++);
        yield* this.#classDesc(path);
        return;
      case TC.OBJECT:
        this.#parts.push(() => this.#objectData(path));
        yield* this.#classDesc(path);
        return;
      case TC.ARRAY:
        this.#parts.push(() => this.#arrayData(path));
        yield* this.#classDesc(path);
        return;
      case TC.ENUM:
        this.#parts.push(() => this.#enumConstant(path));
        yield* this.#classDesc(path);
        return;
      case TC.EXCEPTION:
        // Writing failed here, which ends the object at the top, and the writer went on with the exception.
        this.#parts.length = 0;
        this.#reset();
        this.#push(() => this.#reset());
        yield* this.#object(yield* readU1(input, path), path.add('exception'));
        return;
      default:
        throw input.error('invalid-tag', path, `unknown type code ${hex(tag)} of an object`, 1);
    }
  }

  /** Reads a reference, and returns its handle. */
  *#reference(path: Path): StringSteps<number> {
    const { input } = this.#context;
    const handle = yield* readI4(input, path);
    if (handle < FIRST_HANDLE || handle >= this.#nextHandle) {
      throw input.error(
        'invalid-reference',
        path,
        `no object has the handle ${hex(handle >>> 0)}`,
        4,
      );
    }
    return handle;
  }

  *#string(tag: number, path: Path, kind: DataKind): StringSteps {
    const { input } = this.#context;
    this.#nextHandle++;
    if (tag === TC.STRING) {
      yield* readShortText(this.#context, path, kind);
      return;
    }
    if (!input.has(8)) yield* input.need(8, path);
    const high = input.u4();
    const low = input.u4();
    if (high >= 2 ** 21) {
      throw input.error('invalid-value', path, 'the length of a string has more than 53 bits', 8);
    }
    yield* readText(this.#context, high * 2 ** 32 + low, path, kind);
  }

  /** Reads a description of a class, a reference to one, or null. */
  *#classDesc(path: Path): StringSteps {
    const { input } = this.#context;
    const tag = yield* readU1(input, path);
    if (tag === TC.NULL) {
      this.#desc = undefined;
    } else if (tag === TC.REFERENCE) {
      const desc = this.#classes.get(yield* this.#reference(path));
      if (!desc?.isComplete) {
        throw input.error('invalid-reference', path, 'an object is not a class', 4);
      }
      this.#desc = desc;
    } else if (tag === TC.CLASSDESC || tag === TC.PROXYCLASSDESC) {
      yield* this.#newClassDesc(tag, path);
    } else {
      throw input.error('invalid-tag', path, `unknown type code ${hex(tag)} of a class`, 1);
    }
  }

  *#newClassDesc(tag: number, path: Path): StringSteps {
    if (tag === TC.PROXYCLASSDESC) {
      yield* this.#proxyClassDesc(path);
      return;
    }
    const { input } = this.#context;
    const { string: name } = yield* readShortText(this.#context, path, 'name');
    const desc: ClassDesc = { name, flags: 0, fields: [], layer: undefined, isComplete: false };
    const place = new Path(undefined, name);
    // The version of the class.
    yield* input.skip(8, place);
    this.#classes.set(this.#nextHandle++, desc);
    desc.flags = yield* readU1(input, place);
    for (let left = yield* readU2(input, place); left > 0; left--) {
      desc.fields.push(yield* this.#field(place));
    }
    this.#finishClass(desc, place);
  }

  *#field(place: Path): StringSteps<Field> {
    const { input } = this.#context;
    const code = String.fromCharCode(yield* readU1(input, place));
    const size = sizes[code];
    if (size === undefined) {
      throw input.error('invalid-tag', place, `unknown field type ${hex(code.charCodeAt(0))}`, 1);
    }
    const { string: name } = yield* readShortText(this.#context, place, 'name');
    if (size === 0) {
      const path = place.add(name);
      const tag = yield* readU1(input, path);
      if (tag !== TC.STRING && tag !== TC.LONGSTRING && tag !== TC.REFERENCE) {
        throw input.error('invalid-tag', path, `unknown type code ${hex(tag)} of a string`, 1);
      }
      yield* this.#object(tag, path, 'descriptor');
    }
    return { name, size };
  }

  *#proxyClassDesc(path: Path): StringSteps {
    const { input } = this.#context;
    const desc: ClassDesc = {
      name: '',
      flags: SC.SERIALIZABLE,
      fields: [],
      layer: undefined,
      isComplete: false,
    };
    this.#classes.set(this.#nextHandle++, desc);
    const count = yield* readI4(input, path);
    if (count < 0) throw input.error('invalid-value', path, `a proxy has ${count} interfaces`, 4);
    for (let left = count; left > 0; left--) yield* readShortText(this.#context, path, 'name');
    this.#finishClass(desc, path);
  }

  /** Pushes the data after the fields of a class: its annotations, and its superclass. */
  #finishClass(desc: ClassDesc, place: Path): void {
    this.#push(() => {
      const above = this.#desc?.layer;
      desc.layer = hasData(desc) ? { desc, above } : above;
      desc.isComplete = true;
      this.#desc = desc;
    });
    this.#parts.push(
      () => this.#classDesc(place),
      () => this.#contents(place.add('annotation')),
    );
  }

  /** Reads the data of an object, class by class, the uppermost superclass first. */
  *#objectData(path: Path): StringSteps {
    const { input } = this.#context;
    const desc = this.#desc;
    if (!desc) throw input.error('invalid-reference', path, 'an object has no class', 1);
    this.#nextHandle++;
    for (let layer = desc.layer; layer; layer = layer.above) {
      const { desc } = layer;
      this.#parts.push(() => this.#classData(desc, path));
    }
  }

  *#classData({ name, flags, fields }: ClassDesc, path: Path): StringSteps {
    if ((flags & SC.EXTERNALIZABLE) !== 0 && (flags & SC.BLOCK_DATA) === 0) {
      const what = `only the class ${name} can read what follows, since it writes protocol version 1`;
      throw this.#context.input.error('unsupported', path, what);
    }
    const isExternal = (flags & SC.EXTERNALIZABLE) !== 0;
    if (isExternal || (flags & SC.WRITE_METHOD) !== 0) {
      this.#parts.push(() => this.#contents(path.add('data')));
    }
    if (!isExternal) yield* this.#values(fields, 0, path);
  }

  /** Reads the values of fields from one on. */
  *#values(fields: readonly Field[], first: number, path: Path): StringSteps {
    const { input } = this.#context;
    for (let i = first; i < fields.length; i++) {
      const { name, size } = fields[i] as Field;
      if (size > 0) {
        yield* input.skip(size, path);
        continue;
      }
      if (i + 1 < fields.length) this.#parts.push(() => this.#values(fields, i + 1, path));
      const place = path.add(name);
      yield* this.#object(yield* readU1(input, place), place);
      return;
    }
  }

  *#arrayData(path: Path): StringSteps {
    const { input } = this.#context;
    const desc = this.#desc;
    const size = desc && sizes[desc.name.charAt(1)];
    if (size === undefined || desc?.name.charAt(0) !== '[') {
      throw input.error('invalid-reference', path, 'an array has no class of an array', 1);
    }
    this.#nextHandle++;
    const count = yield* readI4(input, path);
    if (count < 0) throw input.error('invalid-value', path, `an array has the length ${count}`, 4);
    if (size > 0) yield* input.skip(size * count, path);
    else yield* this.#elements(count, 0, path);
  }

  *#elements(count: number, index: number, path: Path): StringSteps {
    if (index === count) return;
    if (index + 1 < count) this.#parts.push(() => this.#elements(count, index + 1, path));
    const place = path.add(index);
    yield* this.#object(yield* readU1(this.#context.input, place), place);
  }

  *#enumConstant(path: Path): StringSteps {
    const { input } = this.#context;
    this.#nextHandle++;
    const tag = yield* readU1(input, path);
    if (tag !== TC.STRING && tag !== TC.LONGSTRING && tag !== TC.REFERENCE) {
      throw input.error('invalid-tag', path, `unknown type code ${hex(tag)} of a string`, 1);
    }
    yield* this.#object(tag, path, 'enum-constant');
  }
}

/** Tells whether objects have data of a class itself. */
const hasData = ({ flags, fields }: ClassDesc): boolean =>
  (flags & SC.EXTERNALIZABLE) !== 0 ||
  ((flags & SC.SERIALIZABLE) !== 0 && (fields.length > 0 || (flags & SC.WRITE_METHOD) !== 0));

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(2, '0');
