/** Paths of tags and objects. A path becomes text only when it is shown, because a file may have millions. */

/** Most characters of a path. */
const MOST = 128;

const PLAIN = /^[^\s".[\]{}\\…]+$/;

/** A place in a file: a path, or a text. */
export type Place = Path | string;

export class Path {
  readonly #parent: Path | undefined;
  readonly #part: string | number;

  /**
   * @param parent - Undefined for a path that is only a text, such as the name of a class.
   * @param part - The name of a tag or field, or the number of an element.
   */
  constructor(parent: Path | undefined, part: string | number) {
    this.#parent = parent;
    this.#part = part;
  }

  /** Appends the name of a tag or field, or the number of an element. */
  add(part: string | number): Path {
    return new Path(this, part);
  }

  /** Returns `Level.list[3]`, shortened at its start. Names are quoted if they contain a separator. */
  toString(): string {
    let text = '';
    for (let path: Path | undefined = this; path; path = path.#parent) {
      text = path.#spell() + text;
      if (text.length > MOST) return `…${text.slice(-MOST)}`;
    }
    return text;
  }

  #spell(): string {
    if (typeof this.#part === 'number') return `[${this.#part}]`;
    const name = this.#part.slice(0, 2 * MOST);
    if (!this.#parent) return name;
    const spelled = PLAIN.test(name) ? name : JSON.stringify(name);
    return this.#parent.#isRoot ? spelled : `.${spelled}`;
  }

  get #isRoot(): boolean {
    return this.#part === '' && !this.#parent;
  }
}

/** The path of a file as a whole. */
export const ROOT: Path = new Path(undefined, '');
