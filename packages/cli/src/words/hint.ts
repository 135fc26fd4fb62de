/** Advice about a refusal; advice that loses nothing comes first. */
import { codecFor, Detector, type Label, type Report } from '@utf8/detect';
import type { FaultRefusal, RecordRefusal } from '@utf8/dump';
import { chunks, findPolicy, openInput, recognizeFormat } from '@utf8/dump/internal';
import { createRepairer, findLegacyEncoding, type LegacyEncoding } from '@utf8/repair';
import { STDIN } from '../input/stdin.js';
import { adviseHazard } from './hazard.js';
import { quotePath } from './shell.js';

/** Number of bytes of a file to read again. */
const MOST = 64 << 20;

const SUPPLEMENTARY = 0x1_0000;
const SURROGATE = 0xd800;
const BEYOND_UNICODE = 0x11_0000;

/** The conversion that was refused. */
export interface Attempt {
  readonly from: Label;
  readonly to: Label;
  readonly format: string | undefined;
  readonly errors?: string | undefined;
}

/**
 * Advises on a refusal, one sentence a line.
 *
 * @param most - How much of the file is read again, in bytes.
 */
export async function advise(
  refusal: FaultRefusal | RecordRefusal,
  { from, to, format, errors = 'fail' }: Attempt,
  most: number = MOST,
): Promise<string[]> {
  const { file, offset } = refusal;
  const argument = file === STDIN ? '' : ` ${quotePath(file)}`;
  let last = `${file}: malformed ${from}; find its encoding with utf8 detect${argument}, list all malformed bytes with utf8 check --from ${from}${argument}, or repair them with --errors`;
  const hazard = 'kind' in refusal ? adviseHazard(refusal.kind) : undefined;
  if (hazard) return [`${file}: ${hazard}`];
  if ('record' in refusal && refusal.charset !== undefined) return adviseDeclared(refusal);
  if ('record' in refusal) {
    last = adviseRecord(refusal, errors, `utf8 scan --format ${format}${argument}`);
    if (refusal.kind === 'unpaired-surrogate' || refusal.kind === 'nul') return [last];
  } else if (refusal.reason === 'nul') {
    return [`${file}: --nul fail refuses U+0000; use --nul keep, or --nul replace --undo FILE`];
  } else if (refusal.isTargetAtFault) {
    return [`${file}: ${to} cannot encode this; add --errors escape to keep its bytes`];
  }
  const known = file === STDIN ? undefined : await examine(file, most);
  if (!known) return [last];
  const { report, head } = known;
  const name = format ? undefined : recognizeFormat(head);
  const label = offset < report.bytes ? findBetter(report, from, to) : undefined;
  const part = report.bytes < most ? '' : `in its first ${most >> 20} MiB, `;
  return [
    ...(name ? [`${file}: looks like ${name}; convert its records with --format ${name}`] : []),
    label
      ? `${file}: malformed ${from}, but ${part}well-formed ${label}; use --from ${label}`
      : last,
  ];
}

/** Advises on text that may be in the encoding that the dump declares for it. */
function adviseDeclared({ file, charset = '', declared, bytes }: RecordRefusal): string[] {
  const policy = findPolicy(charset);
  if (policy !== undefined && !isText(bytes, policy)) {
    return [
      `${file}:${declared}: declares ${charset}, in which ${bytes} is not a character; add --rejects FILE to set such records aside`,
    ];
  }
  const says = `${file}:${declared}: declares ${charset}; text in it is right as declared, so load the file as it is`;
  if (policy === undefined) return [says];
  return [
    says,
    `${file}: to have all of it in UTF-8, add --fix-header --undo FILE, which decodes the rest as ${policy}`,
  ];
}

/** Tells whether bytes, in hex, are characters in a legacy encoding. */
const isText = (bytes: string, errors: LegacyEncoding): boolean =>
  createRepairer({ from: 'utf-8', errors })(Buffer.from(bytes.replaceAll(' ', ''), 'hex'))
    .status !== 'rejected';

/** Advises on a record whose encoding is right. */
function adviseRecord({ file, record, kind }: RecordRefusal, errors: string, scan: string): string {
  // A legacy encoding has refused bytes that are not characters in it.
  const mayBeLegacy = kind === 'legacy-byte' && !findLegacyEncoding(errors);
  const repair =
    kind === 'unpaired-surrogate'
      ? '--unpaired-surrogates escape'
      : kind === 'nul'
        ? '--nul replace --undo FILE'
        : `--errors ${mayBeLegacy ? 'windows-1252 --undo FILE' : 'escape'}`;
  return record === 0
    ? `${file}: text outside of records cannot be rejected; repair it with ${repair}`
    : `${file}: add --rejects FILE to set such records aside, list all with ${scan}, or repair them with ${repair}`;
}

/** Reads the start of a file again; undefined if that fails. */
async function examine(
  file: string,
  most: number,
): Promise<{ report: Report; head: Uint8Array } | undefined> {
  const detector = new Detector();
  let head = new Uint8Array();
  let size = 0;
  const source = await openInput(file).catch(() => undefined);
  try {
    for await (const chunk of source ? chunks(source) : []) {
      if (size === 0) head = chunk.slice();
      const part = chunk.subarray(0, most - size);
      detector.push(part);
      size += part.length;
      if (size === most) break;
    }
    return source && { report: detector.finish(), head };
  } catch {
    return undefined;
  } finally {
    await source?.close();
  }
}

/** Finds an encoding in which a file is well-formed, if the target has all of its characters. */
function findBetter({ counts, variants, verdict, bytes }: Report, from: Label, to: Label) {
  const { pairs, fourByte, loneSurrogates, beyondUnicode, fiveByte, sixByte } = counts;
  if (pairs + fourByte > 0 && !contains(to, SUPPLEMENTARY)) return undefined;
  if (loneSurrogates > 0 && !contains(to, SURROGATE)) return undefined;
  if (beyondUnicode + fiveByte + sixByte > 0 && !contains(to, BEYOND_UNICODE)) return undefined;
  const fitting = variants.flatMap(({ label, isWellFormed, fault }) =>
    // The last sequence may be cut here.
    label !== from && (isWellFormed || (bytes === MOST && fault?.incomplete)) ? [label] : [],
  );
  const first = [verdict.nearest, 'cesu-8+utf-8'].find((label) => fitting.includes(label as Label));
  return first ?? fitting[0];
}

/** Tells whether an encoding can encode a code point. */
function contains(label: Label, codePoint: number): boolean {
  try {
    codecFor(label).encodeCodePoints([codePoint]);
    return true;
  } catch {
    return false;
  }
}
