/** The types, fields and methods that indices refer to. */
import { readU2, readU4 } from '../android/cursor.js';
import { type Part, type Section, SIZES } from './header.js';
import type { Texts } from './text.js';

/** A field or a method. */
export interface DexMember {
  /** Kind of the member. */
  readonly type: 'field' | 'method';
  /** Its name, such as `main`; `?` if its index is invalid. */
  readonly name: string;
  /**
   * Its type as a descriptor, such as `([Ljava/lang/String;)V`; `?` if its index is invalid. Parameters after
   * the 255th, the most that a method can have, are replaced by one `…`.
   */
  readonly descriptor: string;
}

const MOST_PARAMETERS = 255;

/** The longest descriptor that a class file can have. */
const LONGEST = 65_535;

/** The names that the indices of one header refer to; `?` for an index that does not exist. */
export class Ids {
  readonly #bytes: Uint8Array;
  readonly part: Part;
  readonly texts: Texts;

  constructor(bytes: Uint8Array, part: Part, texts: Texts) {
    this.#bytes = bytes;
    this.part = part;
    this.texts = texts;
  }

  /** Returns the descriptor of a type. */
  typeOf(index: number): string {
    const at = this.#find('types', index);
    return at < 0 ? '?' : this.texts.textOf(readU4(this.#bytes, at));
  }

  /** Returns the name of a class, in the internal form. */
  classOf(type: number): string {
    return toInternal(this.typeOf(type));
  }

  fieldOf(index: number): DexMember {
    const at = this.#find('fields', index);
    if (at < 0) return { type: 'field', name: '?', descriptor: '?' };
    return {
      type: 'field',
      name: this.texts.textOf(readU4(this.#bytes, at + 4)),
      descriptor: this.typeOf(readU2(this.#bytes, at + 2)),
    };
  }

  methodOf(index: number): DexMember {
    const at = this.#find('methods', index);
    if (at < 0) return { type: 'method', name: '?', descriptor: '?' };
    return {
      type: 'method',
      name: this.texts.textOf(readU4(this.#bytes, at + 4)),
      descriptor: this.prototypeOf(readU2(this.#bytes, at + 2)),
    };
  }

  /** Returns the class of a method. */
  ownerOf(method: number): string {
    const at = this.#find('methods', method);
    return at < 0 ? '?' : this.classOf(readU2(this.#bytes, at));
  }

  /** Returns the name of a method. */
  nameOf(method: number): string {
    const at = this.#find('methods', method);
    return at < 0 ? '?' : this.texts.textOf(readU4(this.#bytes, at + 4));
  }

  /** Returns the descriptor of a method, from its prototype. */
  prototypeOf(index: number): string {
    const at = this.#find('prototypes', index);
    if (at < 0) return '?';
    const list = readU4(this.#bytes, at + 8);
    const parameters = list === 0 ? '' : this.#readList(list);
    return `(${parameters})${this.typeOf(readU4(this.#bytes, at + 4))}`;
  }

  /** Returns the descriptors of a `type_list`, concatenated. */
  #readList(offset: number): string {
    const bytes = this.#bytes;
    if (offset + 4 > bytes.length) return '?';
    const size = readU4(bytes, offset);
    if (offset + 4 + 2 * size > bytes.length) return '?';
    let text = '';
    for (let i = 0; i < size; i++) {
      if (i === MOST_PARAMETERS || text.length > LONGEST) return `${text}…`;
      text += this.typeOf(readU2(bytes, offset + 4 + 2 * i));
    }
    return text;
  }

  /** Returns the offset of an item, in bytes from the start of the file; -1 if it does not exist. */
  #find(name: keyof typeof SIZES, index: number): number {
    const section: Section = this.part[name];
    return index < section.size ? section.offset + index * SIZES[name] : -1;
  }
}

/** Converts a descriptor to the name of the class. */
export const toInternal = (descriptor: string): string =>
  descriptor.startsWith('L') && descriptor.endsWith(';') ? descriptor.slice(1, -1) : descriptor;
