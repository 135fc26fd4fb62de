/** The strings of one file after another, and what is wrong with them. */
import { isUtf8 } from 'node:buffer';
import { ClassFileError, type ClassString, readStrings, type StringKind } from '@utf8/classfile';
import { JarError, readJar } from '@utf8/classfile/jar';
import { type Fault, formatBytes } from '@utf8/core';
import { InputFailure, ioFailure } from '../failure.js';
import type { Printer } from '../printer.js';
import type { Progress } from '../progress.js';
import { openSource, type Source } from '../source.js';
import { escapeText } from './escape.js';
import { Intake } from './intake.js';
import { type Found, formatFound, formatLine, formatObject, formatPlace } from './line.js';
import { ENOUGH, recognize } from './recognize.js';

/** What the command line asks for. */
export interface StringsOptions {
  /** Which kinds to list; undefined for all. */
  readonly kinds: readonly StringKind[] | undefined;
  /** Whether to list only what UTF-8 would spell otherwise. */
  readonly unlikeUtf8: boolean;
  readonly json: boolean;
}

/** Prints strings. What is malformed, or cannot be read, does not keep the rest from being printed. */
export class Listing {
  readonly #options: StringsOptions;
  readonly #kinds: ReadonlySet<StringKind> | undefined;
  readonly #printer: Printer;
  readonly #progress: Progress;
  #isMalformed = false;
  #hasFailed = false;

  constructor(options: StringsOptions, printer: Printer, progress: Progress) {
    this.#options = options;
    this.#kinds = options.kinds && new Set(options.kinds);
    this.#printer = printer;
    this.#progress = progress;
  }

  /** Prints the strings of a class file or an archive. */
  async add(file: string): Promise<void> {
    let source: Source | undefined;
    try {
      source = await openSource(file);
      await this.#addSource(source);
    } catch (error) {
      if (!(error instanceof InputFailure)) throw error;
      await this.fail(error);
    } finally {
      await source?.close();
    }
  }

  /** Says what could not be read. */
  async fail({ message }: Error): Promise<void> {
    this.#hasFailed = true;
    await this.#say(message);
  }

  /** Waits until all is out, and returns the exit code. */
  async finish(): Promise<number> {
    await this.#printer.finish();
    if (this.#hasFailed) return 3;
    return this.#isMalformed ? 1 : 0;
  }

  /** Says what is malformed. */
  async #refuse(sentence: string): Promise<void> {
    this.#isMalformed = true;
    await this.#say(sentence);
  }

  /** Names in a sentence may have been made by somebody who wants to play tricks on a terminal. */
  async #say(sentence: string): Promise<void> {
    await this.#printer.say(`utf8: ${escapeText(sentence)}\n`);
  }

  async #addSource(source: Source): Promise<void> {
    const { name, size } = source;
    const intake = new Intake(source);
    const form = recognize(await intake.peek(ENOUGH));
    if (form === 'class') {
      const bytes = await intake.readAll();
      await this.#addClass({ file: name, entry: null, bytes });
      await this.#progress.advance(bytes.length);
    } else if (form === 'jimage') {
      const what = 'is a jimage, all modules of a JDK in one file';
      const advice = 'name a .jmod, or what jimage extract makes of it';
      await this.#refuse(`${name}: ${what}; ${advice}`);
    } else if (size !== undefined) {
      await this.#addArchive(name, size, form === 'archive');
    } else if (form === 'archive') {
      const what = 'is an archive, which is read from its end';
      throw new InputFailure(`${name}: ${what}; save it to a file, and name that`);
    } else {
      await this.#refuse(refuseForm(name));
    }
  }

  /** @param isMarked - Whether it begins as archives do. */
  async #addArchive(file: string, size: number, isMarked: boolean): Promise<void> {
    let done = 0;
    const onError = (error: JarError): Promise<void> => this.#refuse(error.message);
    try {
      for await (const { path, bytes, progress } of readJar(file, { onError })) {
        await this.#addClass({ file, entry: path, bytes });
        const now = Math.round(progress * size);
        await this.#progress.advance(now - done);
        done = now;
      }
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if ('syscall' in error) throw ioFailure(file, error, InputFailure);
      if (!(error instanceof JarError)) throw error;
      // What begins as an archive was one, before somebody cut it short.
      const isNone = error.reason === 'not-an-archive' && !isMarked;
      await this.#refuse(isNone ? refuseForm(file) : error.message);
    }
    await this.#progress.advance(size - done);
  }

  async #addClass(found: Found): Promise<void> {
    const where = formatFound(found);
    let faults: Fault[] = [];
    const errors = (fault: Fault): string => {
      faults.push(fault);
      return '\uFFFD';
    };
    try {
      for (const string of readStrings(found.bytes, { errors })) {
        if (string.fault) {
          const place = formatPlace(where, string);
          await this.#refuseString(place, string, string.fault, faults.length);
        }
        if (this.#wants(string)) {
          this.#printer.add(
            this.#options.json ? formatObject(found, string) : formatLine(where, string, faults),
          );
          if (this.#printer.isFull) await this.#printer.print();
        }
        if (faults.length > 0) faults = [];
      }
    } catch (error) {
      if (!(error instanceof ClassFileError)) throw error;
      const name = found.entry === null ? found.file : `${found.file}!/${found.entry}`;
      const what = error.message.replace(/^M/, 'm').replace(/\.$/, '');
      await this.#refuse(`${name}: ${what}; get a whole copy of it`);
    }
  }

  #wants({ kinds, bytes, fault }: ClassString): boolean {
    if (this.#kinds && !kinds.some((kind) => this.#kinds?.has(kind))) return false;
    return !this.#options.unlikeUtf8 || fault !== undefined || !isUtf8(bytes);
  }

  /** Says the first fault of a string, as `check` says faults, and how many it has. */
  async #refuseString(
    place: string,
    { bytes, offset: start }: ClassString,
    { offset, length, reason }: Fault,
    count: number,
  ): Promise<void> {
    const faulty = formatBytes(bytes.subarray(offset - start, offset - start + length));
    const more = count > 1 ? ` (and ${count - 1} more)` : '';
    this.#isMalformed = true;
    await this.#printer.say(`utf8: ${place}: offset ${offset}: ${reason}: ${faulty}${more}\n`);
  }
}

const refuseForm = (name: string): string =>
  `${name}: is neither a class file nor an archive; name a .class, .jar, .jmod or the like, or a folder`;
