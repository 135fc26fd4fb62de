/** The words of one statement. */
import type { KeyPart } from './table-type.js';

/** A token of a statement. */
export interface Word {
  /** In lower case if it is not quoted; a string as it is written; one character if it is not a word. */
  readonly text: string;
  /** The name; undefined if the word is not a name. */
  readonly name: string | undefined;
  readonly isQuoted: boolean;
  /** The bytes of a name, in Latin-1, if they are not ASCII. */
  readonly spelling?: string | undefined;
  /** The name of an encoding that it was, in lower case, before `fixHeader` has replaced it. */
  readonly was?: string | undefined;
  readonly start: number;
  readonly end: number;
}

const END: Word = { text: '', name: undefined, isQuoted: false, start: -1, end: -1 };

/** Reads the words of a statement in order. A method that accepts words moves past them. */
export class Words {
  readonly #words: readonly Word[];
  /** By the index of an opening parenthesis, that of the one that closes it. */
  readonly #closing: ReadonlyMap<number, number>;
  /** The spelling of the last part of the last name, unless it is ASCII. */
  spelling: string | undefined;
  #next: number;
  readonly #limit: number;

  constructor(
    words: readonly Word[],
    closing: ReadonlyMap<number, number> = findClosing(words),
    start = 0,
    limit: number = words.length,
  ) {
    this.#words = words;
    this.#closing = closing;
    this.#next = start;
    this.#limit = limit;
  }

  /** The next word, or one after it. */
  peek(ahead = 0): Word {
    const at = this.#next + ahead;
    return at < this.#limit ? (this.#words[at] as Word) : END;
  }

  /** Number of words that are left. */
  get length(): number {
    return this.#limit - this.#next;
  }

  get isOver(): boolean {
    return this.#next >= this.#limit;
  }

  next(): Word {
    const word = this.peek();
    if (word !== END) this.#next++;
    return word;
  }

  /** Accepts a phrase, such as `if not exists`, if it is next. */
  accept(phrase: string): boolean {
    const texts = phrase.split(' ');
    const isNext = texts.every((text, i) => {
      const word = this.peek(i);
      return word.text === text && !word.isQuoted;
    });
    if (isNext) this.#next += texts.length;
    return isNext;
  }

  /** Accepts words as long as they are among some. */
  acceptAll(words: RegExp): void {
    while (!this.peek().isQuoted && words.test(this.peek().text)) this.#next++;
  }

  /** Accepts one word of some, and returns it. */
  acceptOne(words: RegExp): string | undefined {
    const { text, isQuoted } = this.peek();
    if (isQuoted || !words.test(text)) return undefined;
    this.#next++;
    return text;
  }

  /** Reads a qualified name by its parts. */
  readName(): string[] | undefined {
    const parts: string[] = [];
    for (;;) {
      const { name, spelling } = this.peek();
      if (name === undefined) return undefined;
      parts.push(name);
      this.spelling = spelling;
      this.#next++;
      if (this.peek().text !== '.') return parts;
      this.#next++;
    }
  }

  /** Reads names in parentheses; undefined without parentheses, or if a part is an expression. */
  readNames(): string[] | undefined {
    return this.readKeyParts()?.map(({ name }) => name);
  }

  /** Reads the same with lengths, as in `(name(10), id DESC)`. */
  readKeyParts(): KeyPart[] | undefined {
    const parts = this.readGroup()
      ?.split()
      .map((item): KeyPart | undefined => {
        const { name } = item.next();
        const [length] = /^\d+$/.exec(item.readGroup()?.next().text ?? '') ?? [];
        return name === undefined
          ? undefined
          : { name, length: length === undefined ? length : Number(length) };
      });
    return parts?.every((part) => part !== undefined) ? parts : undefined;
  }

  /** Returns the words in parentheses, if they are next. */
  readGroup(): Words | undefined {
    if (this.peek().text !== '(') return undefined;
    const start = this.#next + 1;
    const end = this.#closing.get(this.#next) ?? this.#limit;
    if (end >= this.#limit) return undefined;
    this.#next = end + 1;
    return this.#cut(start, end);
  }

  /** Splits the rest at commas outside parentheses. */
  split(): Words[] {
    const items: Words[] = [];
    let start = this.#next;
    let depth = 0;
    for (let i = start; i < this.#limit; i++) {
      const { text } = this.#words[i] as Word;
      if (text === '(') depth++;
      else if (text === ')') depth--;
      else if (text === ',' && depth === 0) {
        items.push(this.#cut(start, i));
        start = i + 1;
      }
    }
    if (start < this.#limit) items.push(this.#cut(start, this.#limit));
    this.#next = this.#limit;
    return items;
  }

  /** Splits the rest at a character, even inside parentheses. */
  splitAt(character: string): Words[] {
    const items: Words[] = [];
    let start = this.#next;
    for (let i = start; i <= this.#limit; i++) {
      if (i < this.#limit && this.#words[i]?.text !== character) continue;
      if (i > start) items.push(this.#cut(start, i));
      start = i + 1;
    }
    return items;
  }

  /** Moves past the next such phrase; false if there is none. */
  find(phrase: string): boolean {
    for (const start = this.#next; this.#next < this.#limit; this.#next++) {
      if (this.accept(phrase)) return true;
      if (this.#next + 1 === this.#limit) {
        this.#next = start;
        return false;
      }
    }
    return false;
  }

  /** A copy with a position of its own. */
  copy(): Words {
    return this.#cut(this.#next, this.#limit);
  }

  #cut(start: number, end: number): Words {
    return new Words(this.#words, this.#closing, start, end);
  }
}

/** Finds the parenthesis that closes each one that is closed. */
function findClosing(words: readonly Word[]): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (const [i, { text }] of words.entries()) {
    if (text === '(') open.push(i);
    else if (text === ')' && open.length > 0) closing.set(open.pop() as number, i);
  }
  return closing;
}
