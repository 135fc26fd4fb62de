/** A page of the site that is followed word for word. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findScripts } from './markdown.js';
import { type Outcome, run } from './program.js';
import { createEnvironment } from './utf8.js';

/** The steps of a page, run in a folder. */
export class Walkthrough {
  readonly #page: string;
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;

  /** @param env - Where programs find the servers. */
  constructor(page: string, folder: string, env: NodeJS.ProcessEnv = process.env) {
    this.#page = page;
    this.#folder = folder;
    this.#env = createEnvironment(folder, env);
  }

  /** Runs the only command below a heading. */
  follow(heading: string): Outcome {
    const scripts = findScripts(this.#page, heading, 'sh');
    if (scripts.length !== 1) throw new Error(`${heading}: ${scripts.length} commands`);
    return this.run(scripts[0] as string);
  }

  /**
   * Runs the only command below a heading, and returns its output.
   *
   * @param expected - The exit code that it has to end with; 1 for a conversion that rejects records.
   */
  demand(heading: string, expected = 0): string {
    const { status, stdout, stderr } = this.follow(heading);
    if (status !== expected)
      throw new Error(`${heading}: ended with ${status}: ${stdout}${stderr}`);
    return stdout.toString();
  }

  /** Runs a script in the same place. */
  run(script: string): Outcome {
    return run('sh', ['-c', script], '', { cwd: this.#folder, env: this.#env });
  }

  read(name: string): Buffer {
    return readFileSync(join(this.#folder, name));
  }

  /** The headings that have commands below them. */
  get headings(): string[] {
    const page = readFileSync(
      new URL(`../../../../apps/site/pages/${this.#page}`, import.meta.url),
      'utf8',
    );
    return page
      .split(/^(?=## )/m)
      .filter((section) => /^```sh$/m.test(section))
      .map((section) => /^## (.*)$/m.exec(section)?.[1] as string);
  }
}
