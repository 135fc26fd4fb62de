/** Converts dumps, reverts and loads them, and follows the advice of `utf8 scan`. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { utf8 } from '../../../../../packages/cli/test/command.js';
import { run } from '../program.js';
import { type Dump, findFault, type Loaded, optionsOf, placeOf, type Variant } from './dump.js';
import type { Load, Target } from './server.js';

/** A dump to convert. */
export interface Case {
  readonly dump: Dump;
  readonly variant: Variant;
}

/** Something wrong, and the files that show it. */
export interface Failure {
  readonly of: Case;
  readonly command: string;
  readonly faults: readonly string[];
  readonly output: Buffer | undefined;
}

/** Results of cases. */
export interface Result {
  readonly failures: readonly Failure[];
  /** Number of cases that were converted. */
  readonly converted: number;
}

/** A case that was converted. */
export interface Conversion {
  readonly of: Case;
  readonly command: string;
  /** Errors; loading the output may add more. */
  readonly faults: string[];
  readonly stderr: string;
  /** Undefined if the run stopped. */
  readonly output: Buffer | undefined;
  /** True if refused rows were set aside. */
  readonly hasRejects?: boolean;
}

// A folder in memory, if there is one: thousands of files are synchronized here.
const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const createWorkFolder = (): string => mkdtempSync(join(memory, 'utf8-declared-'));

const FROM = ['--from', 'cesu-8+utf-8'];

/** Converts and reverts all cases. A run that stops has to say where and why. */
export async function convertAll(cases: readonly Case[]): Promise<Conversion[]> {
  const folder = createWorkFolder();
  const file = (name: string): string => join(folder, name);
  const done: Conversion[] = [];
  try {
    for (const of of cases) {
      const { dump, variant } = of;
      writeFileSync(file('dump.sql'), dump.bytes);
      const words = [...FROM, '--format', dump.format, ...optionsOf(variant)];
      const files = ['--undo', file('undo'), '-o', file('out.sql')];
      const { status, stderr } = await utf8(['convert', file('dump.sql'), ...words, ...files]);
      const command = `utf8 convert ${words.join(' ')}`;
      const faults: string[] = [];
      if (status === 0) {
        const output = readFileSync(file('out.sql'));
        const back = ['revert', file('out.sql'), '--undo', file('undo'), '-o', file('back.sql')];
        const reverted = await utf8(back);
        if (reverted.status !== 0) faults.push(`revert: ${reverted.stderr.trim()}`);
        else if (!readFileSync(file('back.sql')).equals(dump.bytes))
          faults.push('revert is not exact');
        done.push({ of, command, faults, stderr, output });
      } else {
        if (!isExplained(status, stderr)) faults.push(`ended with ${status}: ${stderr.trim()}`);
        if (existsSync(file('out.sql'))) faults.push('stopped, and left output');
        done.push({ of, command, faults, stderr, output: undefined });
      }
      for (const name of ['undo', 'out.sql', 'back.sql']) rmSync(file(name), { force: true });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return done;
}

/** Tells whether a run that stopped says why: with the place and the kind, or with the option that decides. */
const isExplained = (status: number | null, stderr: string): boolean =>
  /(narrow|declared|unstated)-(column|connection|encoding)/.test(stderr) ||
  (status === 1 && /: offset \d+: \w[\w -]+/.test(stderr)) ||
  (status === 2 && /--(errors|mojibake|fix-header)/.test(stderr));

/** Loads each dump as it was and as it was converted, and compares the values. */
export function compareAll(target: Target, conversions: readonly Conversion[]): Result {
  const converted = conversions.filter(({ output }) => output !== undefined);
  const dumps = [...new Set(converted.map(({ of }) => of.dump))];
  const originals = dumps.map((dump) =>
    createLoad(dump, dump.valueByValue, dump.connection ?? (target.clients[0] as string)),
  );
  const outputs = converted.flatMap((conversion) => {
    const { dump } = conversion.of;
    const declared = target.findDeclaration(conversion.output as Buffer);
    const clients = declared === undefined ? target.clients : [declared];
    return clients.map((client) => ({
      conversion,
      load: createLoad(dump, conversion.output as Buffer, client),
    }));
  });
  const loaded = target.load([...originals, ...outputs.map(({ load }) => load)]);
  const before = new Map(dumps.map((dump, i) => [dump, loaded[i] as Loaded]));
  for (const [i, { conversion, load }] of outputs.entries()) {
    const { dump, variant } = conversion.of;
    const after = loaded[dumps.length + i] as Loaded;
    const { faults } = conversion;
    const as =
      outputs.filter((each) => each.conversion === conversion).length > 1
        ? ` (client in ${load.client})`
        : '';
    for (const error of after.errors.slice(0, 2)) faults.push(`loading${as}: ${error}`);
    for (const value of dump.values) {
      const place = placeOf(value);
      const original = before.get(dump)?.values.get(place);
      const stored = after.values.get(place);
      if (stored === undefined && conversion.hasRejects) continue;
      const fault = findFault(value, original, stored, variant);
      if (fault)
        faults.push(
          `row ${value.row}, ${value.column} (${value.origin} ${value.bytes})${as}: ${fault}`,
        );
    }
  }
  const failures = conversions.filter(({ faults }) => faults.length > 0);
  return { failures, converted: converted.length };
}

const createLoad = (
  { table, columns, connection }: Dump,
  script: Buffer,
  client: string,
): Load => ({
  table,
  columns,
  connection,
  script,
  client,
});

/**
 * Scans dumps, and runs each line of advice: it ends with 0, or with 1 and a kind that the scan has announced; it repeats no
 * option; a scan of its result has no advice left.
 */
export async function followAll(target: Target, dumps: readonly Dump[]): Promise<Conversion[]> {
  const done: Conversion[] = [];
  for (const dump of dumps) {
    const folder = createWorkFolder();
    const surroundings = { cwd: folder };
    try {
      writeFileSync(join(folder, 'dump.sql'), dump.bytes);
      const scanned = await utf8(['scan', '--format', dump.format, 'dump.sql'], '', surroundings);
      for (const [, line = ''] of scanned.stdout.toString().matchAll(/^ *Next: (.*)$/gm)) {
        const faults: string[] = [];
        const [name, ...words] = splitWords(line);
        const flags = words.filter((word) => word.startsWith('-'));
        if (new Set(flags).size < flags.length) faults.push('an option is repeated');
        const { status, stderr } =
          name === 'utf8'
            ? await utf8(words, '', surroundings)
            : run('sh', ['-c', line], '', { cwd: folder, env: target.env });
        const [, kind] = /: offset \d+: ([\w -]+)/.exec(stderr) ?? [];
        const isAnnounced =
          status === 1 && kind !== undefined && scanned.stdout.toString().includes(kind);
        const isDone = status === 0 || (status === 1 && /\d rejected to /.test(stderr));
        if (!isDone && !isAnnounced) faults.push(`ended with ${status}: ${stderr.trim()}`);
        const value = (option: string): string | undefined => words[words.indexOf(option) + 1];
        const path = words.includes('-o') ? join(folder, value('-o') as string) : undefined;
        let output: Buffer | undefined;
        if (isDone && path !== undefined) {
          output = readFileSync(path);
          const again = await utf8(['scan', '--format', dump.format, path]);
          if (again.status !== 0) faults.push(`a second scan: ${again.stdout.toString().trim()}`);
        }
        const variant = {
          errors: words.includes('--errors') ? (value('--errors') as Variant['errors']) : 'fail',
          mojibake: words.includes('--mojibake')
            ? (value('--mojibake') as Variant['mojibake'])
            : 'keep',
          fixesHeader: words.includes('--fix-header'),
        } as const;
        const hasRejects = words.includes('--rejects');
        done.push({ of: { dump, variant }, command: line, faults, stderr, output, hasRejects });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return done;
}

/** Splits a line into words, as a shell does. */
function splitWords(line: string): string[] {
  const script = `set -- ${line}\nfor word do printf '%s\\0' "$word"; done`;
  return run('sh', ['-c', script]).stdout.toString().split('\0').slice(0, -1);
}

/** Describes failures: the first ones, and how many there are of each kind. */
export function describeFailures(failures: readonly Failure[]): string {
  const shown = failures.slice(0, 5).map(({ of, command, faults }) => {
    const bytes = of.dump.bytes.length < 1500 ? `\n${of.dump.bytes.toString('latin1')}` : '';
    return `${of.dump.name}: ${command}\n  ${faults.slice(0, 4).join('\n  ')}${bytes}`;
  });
  return [`${failures.length} failures`, ...shown].join('\n\n');
}
