import type { VerifyOptions } from './verify-options.js';
import type { VerifyReport } from './verify-report.js';

export type { VerifyOptions, VerifySide } from './verify-options.js';
export type { VerifyReport };

/**
 * Compares the source of a migration with its target, by key, in any order and format: what is missing,
 * what differs and why, what is equal.
 *
 * Both sides are copied to temporary files in `TMPDIR` and sorted there, so memory grows only with the
 * longest record (of up to 256 MiB), and disk space with both sides.
 *
 * @param options - Both sides, and the encodings and policies of the conversion.
 * @returns Numbers of records and findings, and some examples.
 * @throws UsageError (`ERR_UTF8_USAGE`) if options or paths are invalid, if no table has a column of `keys`
 *   or `ignored`, or if a table of one side fits several of the other.
 * @throws LabelError (`ERR_UTF8_LABEL`) if there is no such encoding.
 * @throws RepairOptionError (`ERR_UTF8_REPAIR_OPTION`) if the policies contradict each other.
 * @throws InputError (`ERR_UTF8_INPUT`) if an input cannot be read, or is not of its format.
 * @throws OutputError (`ERR_UTF8_OUTPUT`) if the report or a temporary file cannot be written.
 * @throws BusyError (`ERR_UTF8_BUSY`) if another run is writing the same report.
 * @example
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { verifyDump } from '@utf8/dump';
 *
 * const pair = Buffer.from([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]);
 * writeFileSync('old.csv', Buffer.concat([Buffer.from('id,name\n1,'), pair, Buffer.from('\n2,Ada\n')]));
 * writeFileSync('new.copy', '2\tAd\n1\t\u{1f600}\n');
 * const report = await verifyDump({
 *   source: { input: 'old.csv', format: 'csv' },
 *   target: { input: 'new.copy', format: 'copy', formatOptions: { columns: 'id,name' } },
 *   from: 'cesu-8+utf-8',
 *   keys: ['id'],
 * });
 * report.isProved; // => false
 * report.columns; // => { repair: { name: 1 }, truncation: { name: 1 } }
 * report.examples.truncation?.[0]?.key; // => { id: '2' }
 * ```
 */
export async function verifyDump(options: VerifyOptions): Promise<VerifyReport> {
  // Loaded late, since nothing else needs it.
  const { runVerification } = await import('./run-verification.js');
  return runVerification(options);
}
