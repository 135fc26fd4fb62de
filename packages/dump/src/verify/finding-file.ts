/** Findings in a temporary file. */
import { TemporaryFolder } from '../path/temporary-folder.js';
import { RunWriter, readRun } from '../scan/sorter.js';
import type { VerifyFinding } from './verify-finding.js';

/** Keeps findings that may have to be forgotten, in constant memory. */
export class FindingFile {
  readonly #folder = new TemporaryFolder();
  #run: RunWriter | undefined;

  /** Adds a finding. May throw an {@link OutputError}. */
  add(finding: VerifyFinding): void {
    this.#run ??= new RunWriter(this.#folder.nameFile());
    this.#run.add(Buffer.from(JSON.stringify(finding)));
  }

  /** Yields all findings, once. */
  *list(): Generator<VerifyFinding, void> {
    if (!this.#run) return;
    this.#run.finish();
    for (const item of readRun(this.#run.path)) yield JSON.parse(item.toString());
  }

  remove(): void {
    this.#run = undefined;
    this.#folder.remove();
  }
}
