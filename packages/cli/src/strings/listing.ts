/** Lists the strings of one file after another, and their errors. */
import { isUtf8 } from 'node:buffer';
import { type DataError, type DataOptions, type DataString, readData } from '@utf8/classfile/data';
import {
  describeUnread,
  type EntryForm,
  type FileForm,
  FORM_LENGTH,
  JarError,
  type JarSkip,
  readEntries,
  recognize,
} from '@utf8/classfile/jar';
import { type Fault, formatBytes } from '@utf8/core';
import { InputError } from '@utf8/dump';
import { chunks, ioError, type Source } from '@utf8/dump/internal';
import { toPath } from '@utf8/files';
import { visit } from '../input/inputs.js';
import type { Printer } from '../terminal/printer.js';
import type { Style } from '../terminal/style.js';
import { findData, inflate, prepend, readHead } from './data.js';
import type { Unread } from './folder.js';
import { type FormError, type FormOptions, forms, isFormError } from './form.js';
import type { FoundString, FoundText } from './found-string.js';
import type { Kind } from './kind.js';
import {
  type Found,
  formatPlace,
  formatString,
  formatTrick,
  formatUse,
  nameEntry,
  spellText,
  type Trick,
} from './line.js';
import { Summary } from './summary.js';
import { type FoundUse, formatWhere } from './where.js';

/** The largest class, and the largest other file except for archives, in bytes; as in archives. */
const MOST_OF_CLASS = 64 << 20;
const MOST = 256 << 20;

/** Most tricks of one file to keep until its strings are listed: each may take four bytes of it. */
const MOST_TRICKS = 100;

/** Options for listing strings. */
export interface StringsOptions {
  /** Undefined for all. */
  readonly kinds: readonly Kind[] | undefined;
  /** Tells whether the text of a string is wanted. */
  readonly matches: (text: string) => boolean;
  readonly unlikeUtf8: boolean;
  /** True to list each use of a string, with its place in the program. */
  readonly where: boolean;
  readonly lenient: boolean;
  readonly json: boolean;
  /** Receives how many bytes of the file are done. */
  readonly onProgress: (bytes: number) => void;
}

/** Prints strings. Malformed and unreadable files do not stop the rest. */
export class Listing {
  readonly #options: StringsOptions;
  readonly #kinds: ReadonlySet<Kind> | undefined;
  readonly #printer: Printer;
  readonly #style: Style;
  readonly #summary: Summary;
  /** 1 if something is malformed, 3 if something could not be read. */
  exitCode = 0;

  constructor(options: StringsOptions, printer: Printer, style: Style) {
    this.#options = options;
    this.#style = style;
    this.#kinds = options.kinds && new Set(options.kinds);
    this.#printer = printer;
    this.#summary = new Summary((sentence) => printer.say(`utf8: ${sentence}`));
  }

  /**
   * Prints the strings of a file or an archive, and returns its size.
   *
   * @param isNamed - True if the user named it, and is told if it contains nothing.
   */
  async add(file: string, isNamed: boolean): Promise<number> {
    let size = 0;
    const read = async (source: Source): Promise<void> => {
      size = source.size ?? 0;
      await this.#addSource(source, isNamed);
    };
    const isRead = await visit(file, this.#printer, read, { refuseBinary: false });
    if (!isRead) this.exitCode = 3;
    return size;
  }

  /** Reports malformed and unreadable files. */
  async report(sentence: string, exitCode: 1 | 3): Promise<void> {
    this.exitCode = Math.max(this.exitCode, exitCode);
    await this.#printer.say(`utf8: ${sentence}`);
  }

  /** Says that a file is not read, and why. */
  skip({ name, what }: Unread): Promise<void> {
    return this.#summary.skip(name, what);
  }

  /** Says that a folder contains nothing that is listed. */
  empty(folder: string): Promise<void> {
    return this.#summary.empty(folder);
  }

  /** Ends the listing. */
  async end(): Promise<void> {
    await this.#summary.end();
    await this.#printer.print();
  }

  async #addSource(source: Source, isNamed: boolean): Promise<void> {
    const { name, size } = source;
    const input = chunks(source);
    const head = await readHead(input);
    const whole = prepend(head, input);
    const packing = recognize(head, name) === 'other' ? findData(head) : undefined;
    if (packing) {
      await this.#addData(source, whole, packing === 'zlib');
      return;
    }
    const { form, bytes } = await readForm(source, whole);
    if (isEntryForm(form)) {
      await this.#addFile({ file: name, entry: null, bytes }, form);
    } else if (form === 'jimage') {
      const what = 'is a jimage, all modules of a JDK in one file';
      const sentence = `${what}; use a .jmod, or the output of jimage extract`;
      if (isNamed) await this.report(`${name}: ${sentence}`, 1);
      else await this.#summary.skip(name, sentence);
    } else if (size !== undefined) {
      const count = await this.#addArchive(source, size, bytes);
      if (count === 0 && isNamed) await this.#summary.empty(name);
      await source.verify();
    } else if (form === 'archive') {
      const what = 'is an archive, which cannot be read from a pipe';
      throw new InputError(`${name}: ${what}; save it to a file first`);
    } else {
      await this.report(refuseForm(name, bytes), 1);
    }
  }

  /**
   * @param head - How it begins.
   * @returns Number of files that were listed; undefined if there may be others that cannot be read.
   */
  async #addArchive(
    { name: file }: Source,
    size: number,
    head: Uint8Array,
  ): Promise<number | undefined> {
    const describe = ({ path, what }: JarError): string =>
      `${nameEntry(file, path ?? null)}: ${what}`;
    let failed = 0;
    const onError = (error: JarError): Promise<void> => {
      failed++;
      return this.report(describe(error), 1);
    };
    const lenient = ({ path: entry, reason, what }: JarError): Promise<void> =>
      this.#reportTrick(file, entry ?? null, { offset: null, reason, what });
    const onSkip = ({ path: entry, reason, what }: JarSkip): Promise<void> => {
      if (reason === 'misnamed') return this.report(`${nameEntry(file, entry)}: ${what}`, 1);
      // Other known formats contain no classes that are skipped; unknown ones may.
      if (reason !== 'format') this.exitCode = Math.max(this.exitCode, 1);
      return this.#summary.skip(nameEntry(file, entry), what);
    };
    let count = 0;
    try {
      for await (const { path: entry, form, bytes, progress } of readEntries(
        toPath(file) as string,
        {
          onError,
          onSkip,
          lenient: this.#options.lenient ? lenient : undefined,
        },
      )) {
        count++;
        await this.#addFile({ file, entry, bytes }, form);
        this.#options.onProgress(progress * size);
      }
    } catch (error) {
      if (error instanceof Error && 'syscall' in error) throw ioError(file, error, InputError);
      if (!(error instanceof JarError)) throw error;
      // A file that begins like an archive is a truncated one.
      const isNone = error.reason === 'not-an-archive' && recognize(head) !== 'archive';
      await this.report(isNone ? refuseForm(file, head) : describe(error), 1);
      return undefined;
    }
    return count === 0 && failed > 0 ? undefined : count;
  }

  async #addFile(found: Found, form: EntryForm): Promise<void> {
    const faults: Fault[] = [];
    const name = nameEntry(found.file, found.entry);
    const tricks: Trick[] = [];
    let more = 0;
    const lenient = (error: FormError): void => {
      const { offset, reason } = error;
      if (tricks.length === MOST_TRICKS) more++;
      else tricks.push({ offset, reason, what: describeError(error) });
    };
    const options: FormOptions = {
      errors: (fault) => {
        faults.push(fault);
        return '\uFFFD';
      },
      lenient: this.#options.lenient ? lenient : undefined,
      kinds: this.#options.kinds,
    };
    try {
      if (this.#options.where) await this.#addUses(found, form, options, faults);
      else await this.#addStrings(found, form, options, faults);
    } catch (error) {
      if (!isFormError(error)) throw error;
      const advice = `get a complete copy of it${this.#options.lenient ? '' : ', or add --lenient'}`;
      await this.report(`${name}: ${describeError(error)}; ${advice}`, 1);
    }
    for (const trick of tricks) await this.#reportTrick(found.file, found.entry, trick);
    if (more > 0) await this.report(`${name}: ${more} more malformed parts; ignored`, 1);
  }

  /** Reports an error that did not stop the reading. */
  async #reportTrick(file: string, entry: string | null, trick: Trick): Promise<void> {
    this.exitCode = Math.max(this.exitCode, 1);
    if (this.#options.json) this.#printer.add(formatTrick(file, entry, trick));
    else {
      await this.#printer.say(`utf8: ${nameEntry(file, entry)}: ${trick.what}; ignored`);
    }
  }

  async #addStrings(
    found: Found,
    form: EntryForm,
    options: FormOptions,
    faults: Fault[],
  ): Promise<void> {
    for (const string of forms[form].readStrings(found.bytes, options)) {
      await this.#addString(found, string, faults);
      faults.length = 0;
    }
  }

  async #addString(found: Found, string: FoundString, faults: readonly Fault[]): Promise<void> {
    const { fault, kinds } = string;
    const isWanted = this.#wants(string) && this.#wantsKind(kinds);
    const place = fault || isWanted ? formatPlace(found, string) : '';
    if (fault) await this.#refuse(place, string, fault, faults.length);
    if (isWanted && this.#options.json) this.#printer.add(formatString(found, string));
    else if (isWanted)
      this.#printer.add(this.#style.weak(place), kinds.join(), spellText(string, faults));
    if (this.#printer.isFull) await this.#printer.print();
  }

  /** Prints each use of each string. The faults of a string are reported once. */
  async #addUses(
    found: Found,
    form: EntryForm,
    options: FormOptions,
    faults: Fault[],
  ): Promise<void> {
    const refused = new Set<string>();
    for (const use of forms[form].readUses(found.bytes, options)) {
      faults.length = 0;
      // Decoded once: each access makes it again.
      const { string } = use;
      const { fault } = string;
      const place = formatPlace(found, string);
      if (fault && !refused.has(place)) {
        refused.add(place);
        await this.#refuse(place, string, fault, faults.length);
      }
      if (this.#wants(string)) await this.#addUse(found, use, string, faults);
    }
  }

  async #addUse(
    found: Found,
    use: FoundUse,
    string: FoundText,
    faults: readonly Fault[],
  ): Promise<void> {
    if (this.#options.json) this.#printer.add(formatUse(found, use, string));
    else
      this.#printer.add(
        this.#style.weak(formatPlace(found, string)),
        use.kind,
        formatWhere(use),
        spellText(string, faults),
      );
    if (this.#printer.isFull) await this.#printer.print();
  }

  /** Prints the strings of a file with Java's data, of any size. */
  async #addData(source: Source, input: AsyncIterable<Uint8Array>, isZlib: boolean): Promise<void> {
    const { name } = source;
    const faults: Fault[] = [];
    const tricks: Trick[] = [];
    const damage: string[] = [];
    const tell = async (): Promise<void> => {
      for (const trick of tricks.splice(0)) await this.#reportTrick(name, null, trick);
    };
    const lenient = (error: DataError): void => {
      const { offset, reason } = error;
      tricks.push({ offset, reason, what: describeError(error) });
    };
    const { onProgress } = this.#options;
    const parts = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
      let done = 0;
      for await (const chunk of isZlib ? inflate(input, (what) => damage.push(what)) : input) {
        yield chunk;
        // Also without strings: a damaged heap dump may have millions of wrong records.
        await tell();
        done += chunk.length;
        onProgress(done);
      }
    };
    const found: Found = { file: name, entry: null, bytes: new Uint8Array() };
    const options: DataOptions = {
      errors: (fault) => {
        faults.push(fault);
        return '\uFFFD';
      },
      lenient: this.#options.lenient ? lenient : undefined,
    };
    try {
      for await (const string of readData(parts(), options)) {
        await tell();
        if (!this.#options.where) await this.#addString(found, string, faults);
        else await this.#addPlaced(found, string, faults);
        faults.length = 0;
      }
    } catch (error) {
      if (!isFormError(error)) throw error;
      await this.report(`${name}: ${describeError(error)}; get a complete copy of it`, 1);
    }
    await tell();
    for (const what of damage) await this.report(`${name}: ${what}`, 1);
    await source.verify();
  }

  /** Prints a string that has exactly one use. */
  async #addPlaced(found: Found, string: DataString, faults: readonly Fault[]): Promise<void> {
    const { fault, kinds, offset } = string;
    if (fault) await this.#refuse(formatPlace(found, string), string, fault, faults.length);
    if (!this.#wants(string) || !this.#wantsKind(kinds)) return;
    await this.#addUse(found, { string, kind: kinds[0] as Kind, offset }, string, faults);
  }

  #wantsKind(kinds: readonly Kind[]): boolean {
    const wanted = this.#kinds;
    return !wanted || kinds.some((kind) => wanted.has(kind));
  }

  #wants({ bytes, encoding, fault, string }: FoundText): boolean {
    const { matches, unlikeUtf8 } = this.#options;
    const isUnlike = fault !== undefined || (encoding !== 'utf-16' && !isUtf8(bytes));
    return (!unlikeUtf8 || isUnlike) && matches(string);
  }

  /** Reports the first fault of a string, in the form of `utf8 check`, and how many it has. */
  #refuse(place: string, string: FoundText, fault: Fault, count: number): Promise<void> {
    const { offset, length, reason } = fault;
    const from = offset - string.offset;
    const bytes = formatBytes(string.bytes.subarray(from, from + length));
    const more = count > 1 ? ` (and ${count - 1} more)` : '';
    return this.report(`${place}: offset ${offset}: ${reason}: ${bytes}${more}`, 1);
  }
}

const isEntryForm = (form: FileForm): form is EntryForm => form in forms;

const describeError = ({ message }: Error): string => message.replace(/^M/, 'm').replace(/\.$/, '');

/** Reads a class, DEX or resource file to its end, and the beginning of any other file. */
async function readForm(
  source: Source,
  input: AsyncIterable<Uint8Array>,
): Promise<{ form: FileForm; bytes: Uint8Array }> {
  const parts: Uint8Array[] = [];
  let length = 0;
  let form: FileForm | undefined;
  for await (const chunk of input) {
    parts.push(chunk.slice());
    length += chunk.length;
    if (length < FORM_LENGTH) continue;
    form ??= recognize(Buffer.concat(parts), source.name);
    if (!isEntryForm(form)) break;
    const limit = form === 'class' ? MOST_OF_CLASS : MOST;
    if (length <= limit && (source.size ?? 0) <= limit) continue;
    const what = form === 'class' ? 'a class' : form === 'dex' ? 'a DEX file' : 'a resource file';
    throw new InputError(`${source.name}: exceeds ${limit} bytes; is it ${what}?`);
  }
  const bytes = Buffer.concat(parts);
  return { form: form ?? recognize(bytes, source.name), bytes };
}

function refuseForm(name: string, head: Uint8Array): string {
  const what = describeUnread(name, head);
  if (what !== undefined) return `${name}: is ${what}`;
  return `${name}: is neither a class file nor an archive; use a .class, .jar, .jmod, .dex or the like, or a folder`;
}
