/** The strings of one file after another, and what is wrong with them. */
import { isUtf8 } from 'node:buffer';
import { ClassFileError, type ClassString, readStrings, type StringKind } from '@utf8/classfile';
import { JarError, readJar } from '@utf8/classfile/jar';
import { type Fault, formatBytes } from '@utf8/core';
import { chunks, InputError, ioError, type Source, toPath } from '@utf8/dump';
import { visit } from '../input/inputs.js';
import type { Printer } from '../terminal/printer.js';
import { type Found, formatPlace, formatString, spellText } from './line.js';
import { ENOUGH, type FileForm, recognize } from './recognize.js';

/** The largest class that is read, in bytes. Real ones have some megabytes at most. */
const LIMIT = 64 << 20;

/** Which strings to list, and how. */
export interface StringsOptions {
  /** Undefined for all. */
  readonly kinds: ReadonlySet<StringKind> | undefined;
  readonly unlikeUtf8: boolean;
  readonly json: boolean;
  /** Receives how many bytes of the file are done. */
  readonly onProgress: (bytes: number) => void;
}

/** Prints strings. What is malformed or cannot be read does not stop the rest. */
export class Listing {
  readonly #options: StringsOptions;
  readonly #printer: Printer;
  /** 1 if something is malformed, 3 if something could not be read. */
  exitCode = 0;

  constructor(options: StringsOptions, printer: Printer) {
    this.#options = options;
    this.#printer = printer;
  }

  /** Prints the strings of a class file or an archive, and returns its size. */
  async add(file: string): Promise<number> {
    let size = 0;
    const read = async (source: Source): Promise<void> => {
      size = source.size ?? 0;
      await this.#addSource(source);
    };
    const isRead = await visit(file, this.#printer, read, { refuseBinary: false });
    if (!isRead) this.exitCode = 3;
    return size;
  }

  /** Reports what could not be read, or what is malformed. */
  async report(sentence: string, exitCode: 1 | 3): Promise<void> {
    this.exitCode = Math.max(this.exitCode, exitCode);
    await this.#printer.say(`utf8: ${sentence}`);
  }

  async #addSource(source: Source): Promise<void> {
    const { name, size } = source;
    const { form, bytes } = await readClass(source);
    if (form === 'class') {
      await this.#addClass({ file: name, entry: null, bytes });
    } else if (form === 'jimage') {
      const what = 'is a jimage, all modules of a JDK in one file';
      await this.report(`${name}: ${what}; name a .jmod, or the output of jimage extract`, 1);
    } else if (size !== undefined) {
      await this.#addArchive(name, size, form === 'archive');
    } else if (form === 'archive') {
      const what = 'is an archive, which is read from its end';
      throw new InputError(`${name}: ${what}; save it to a file, and name that`);
    } else {
      await this.report(refuseForm(name), 1);
    }
  }

  /** @param isMarked - Whether it begins as archives do. */
  async #addArchive(file: string, size: number, isMarked: boolean): Promise<void> {
    // `node:fs` accepts bytes as well; errors then contain them decoded.
    const path = toPath(file) as string;
    const describe = ({ message }: Error): string => message.replaceAll(`${path}`, () => file);
    const onError = (error: JarError): Promise<void> => this.report(describe(error), 1);
    try {
      for await (const { path: entry, bytes, progress } of readJar(path, { onError })) {
        await this.#addClass({ file, entry, bytes });
        this.#options.onProgress(progress * size);
      }
    } catch (error) {
      if (error instanceof Error && 'syscall' in error) throw ioError(file, error, InputError);
      if (!(error instanceof JarError)) throw error;
      // What begins as an archive was one before it was truncated.
      const isNone = error.reason === 'not-an-archive' && !isMarked;
      await this.report(isNone ? refuseForm(file) : describe(error), 1);
    }
  }

  async #addClass(found: Found): Promise<void> {
    let faults: Fault[] = [];
    const errors = (fault: Fault): string => {
      faults.push(fault);
      return '\uFFFD';
    };
    try {
      for (const string of readStrings(found.bytes, { errors })) {
        const { fault, kinds } = string;
        const isWanted = this.#wants(string);
        const place = fault || isWanted ? formatPlace(found, string) : '';
        if (fault) await this.#refuse(place, string, fault, faults.length);
        if (isWanted && this.#options.json) this.#printer.add(formatString(found, string));
        else if (isWanted) this.#printer.add(place, kinds.join(), spellText(string, faults));
        if (this.#printer.isFull) await this.#printer.print();
        if (faults.length > 0) faults = [];
      }
    } catch (error) {
      if (!(error instanceof ClassFileError)) throw error;
      const name = found.entry === null ? found.file : `${found.file}!/${found.entry}`;
      const what = error.message.replace(/^M/, 'm').replace(/\.$/, '');
      await this.report(`${name}: ${what}; get a complete copy of it`, 1);
    }
  }

  #wants({ kinds: some, bytes, fault }: ClassString): boolean {
    const { kinds, unlikeUtf8 } = this.#options;
    if (kinds && !some.some((kind) => kinds.has(kind))) return false;
    return !unlikeUtf8 || fault !== undefined || !isUtf8(bytes);
  }

  /** Reports the first fault of a string, in the form of `utf8 check`, and how many it has. */
  #refuse(place: string, string: ClassString, fault: Fault, count: number): Promise<void> {
    const { offset, length, reason } = fault;
    const from = offset - string.offset;
    const bytes = formatBytes(string.bytes.subarray(from, from + length));
    const more = count > 1 ? ` (and ${count - 1} more)` : '';
    return this.report(`${place}: offset ${offset}: ${reason}: ${bytes}${more}`, 1);
  }
}

/** Reads a class to its end, and of any other file the beginning. */
async function readClass(source: Source): Promise<{ form: FileForm; bytes: Uint8Array }> {
  const parts: Uint8Array[] = [];
  let length = 0;
  let form: FileForm | undefined;
  for await (const chunk of chunks(source)) {
    parts.push(chunk.slice());
    length += chunk.length;
    if (length < ENOUGH) continue;
    form ??= recognize(Buffer.concat(parts));
    if (form !== 'class') break;
    if (length <= LIMIT && (source.size ?? 0) <= LIMIT) continue;
    throw new InputError(`${source.name}: exceeds ${LIMIT} bytes; is it a class?`);
  }
  return { form: form ?? 'other', bytes: Buffer.concat(parts) };
}

const refuseForm = (name: string): string =>
  `${name}: is neither a class file nor an archive; name a .class, .jar, .jmod or the like, or a folder`;
