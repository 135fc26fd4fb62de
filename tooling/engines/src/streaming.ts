/**
 * Hadoop Streaming as far as a mapper can see it: a split is the lines that begin in a block of the file,
 * fed to stdin with a line feed behind each; an exit code other than 0 fails the attempt, four failed
 * attempts the job; `reporter:counter:` lines on stderr are summed up over the attempts that went well.
 */
import { run } from '@utf8/databases/program';

/** How often a task is tried: `mapreduce.map.maxattempts`. */
const ATTEMPTS = 4;

const LF = 0x0a;

/** What has become of a job. */
export interface Job {
  readonly isSuccessful: boolean;
  /** The output of all tasks, in the order of the splits. */
  readonly output: Buffer;
  readonly counters: ReadonlyMap<string, number>;
  readonly attempts: number;
}

/** Cuts a file as TextInputFormat does: a line belongs to the split that it begins in. */
export function split(file: Buffer, size: number): Buffer[] {
  const splits: Buffer[] = [];
  let start = 0;
  for (let wanted = size; start < file.length; wanted += size) {
    const feed = wanted >= file.length ? -1 : file.indexOf(LF, wanted - 1);
    const end = feed === -1 ? file.length : feed + 1;
    if (end > start) splits.push(file.subarray(start, end));
    start = Math.max(start, end);
  }
  return splits;
}

/** Runs a job without reducers. */
export function runJob(mapper: string, splits: readonly Buffer[], env: NodeJS.ProcessEnv): Job {
  const outputs: Buffer[] = [];
  const counters = new Map<string, number>();
  let attempts = 0;
  for (const lines of splits) {
    const input = lines.at(-1) === LF ? lines : Buffer.concat([lines, Buffer.of(LF)]);
    for (let attempt = 1; ; attempt++) {
      attempts++;
      const { status, stdout, stderr } = run('sh', ['-c', mapper], input, { env });
      if (status === 0) {
        outputs.push(stdout);
        addCounters(counters, stderr);
        break;
      }
      if (attempt === ATTEMPTS) {
        return { isSuccessful: false, output: Buffer.of(), counters: new Map(), attempts };
      }
    }
  }
  return { isSuccessful: true, output: Buffer.concat(outputs), counters, attempts };
}

/** Hadoop takes lines of three parts with commas between them, and logs all others. */
function addCounters(counters: Map<string, number>, stderr: string): void {
  for (const line of stderr.split('\n')) {
    if (!line.startsWith('reporter:counter:')) continue;
    const parts = line.slice('reporter:counter:'.length).trim().split(',');
    const [group, name, amount] = parts;
    if (parts.length !== 3 || !/^-?\d+$/.test(amount ?? '')) {
      throw new Error(`Hadoop cannot parse the counter line ${line}`);
    }
    const key = `${group},${name}`;
    counters.set(key, (counters.get(key) ?? 0) + Number(amount));
  }
}
