/** Scripts with literals wherever a server allows them, run before and after a conversion. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertDump, type FileHazard, type RecordRefusal } from '@utf8/dump';
import { afterAll, describe, expect, it } from 'vitest';
import { isNight, scale, seed } from '../../../tiers/tier.js';
import { createMariaDbScript } from '../src/grammar/mariadb-script.js';
import { createPostgresScript } from '../src/grammar/postgres-script.js';
import type { Observation, Script } from '../src/grammar/script.js';
import { MariaDb } from '../src/mariadb.js';
import { Postgres } from '../src/postgres.js';
import { demandProgram, run } from '../src/program.js';

const folder = mkdtempSync(join(tmpdir(), 'utf8-grammar-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const mariadb = await MariaDb.start();
const postgres = await Postgres.start();
afterAll(async () => {
  await mariadb.stop();
  await postgres.stop();
});

/** A server with databases that a script can fill. */
interface Target {
  readonly format: string;
  create(seed: number): Script;
  /** Runs a script in an empty database, and returns the values, or else why the server refuses it. */
  load(script: Buffer, observations: readonly Observation[]): string[] | string;
}

/** Converts a script. Returns why not, if it is refused. */
async function convert(
  { format }: Target,
  script: Buffer,
  allow: readonly FileHazard[],
): Promise<Buffer | string> {
  const [input, output] = ['in.sql', 'out.sql'].map((name) => join(folder, name)) as [
    string,
    string,
  ];
  writeFileSync(input, script);
  try {
    const { refusal } = await convertDump({ input, output, format, from: 'cesu-8+utf-8', allow });
    return refusal ? (refusal as RecordRefusal).kind : readFileSync(output);
  } catch (error) {
    return (error as Error).message;
  }
}

const repair = (hex: string): string =>
  hex.replace(/eda0bdedb880/gi, (pair) => (/[A-Z]/.test(pair) ? 'F09F9880' : 'f09f9880'));

/** Runs a script before and after its conversion. Returns the errors, and true if it was refused. */
async function compare(target: Target, script: Script) {
  const bytes = Buffer.from(script.text, 'latin1');
  const before = target.load(bytes, script.observations);
  if (typeof before === 'string') return { faults: [before], refused: undefined };
  let after = await convert(target, bytes, []);
  const refused = typeof after === 'string' ? after : undefined;
  if (refused === 'text-or-binary') after = await convert(target, bytes, ['text-or-binary']);
  if (typeof after === 'string') return { faults: [], refused };
  const values = target.load(after, script.observations);
  if (typeof values === 'string') return { faults: [values], refused };
  const faults = script.observations.flatMap(({ kind, query }, i) => {
    const [old = '', now] = [before[i], values[i]];
    const isRight =
      kind === 'binary'
        ? now === old
        : now === repair(old) || (kind === 'either' && refused !== undefined && now === old);
    return isRight ? [] : [`${kind} ${query}: ${old.trim()} became ${now?.trim()}`];
  });
  return { faults, refused };
}

/** Separates the results of queries. */
const MARK = '-- next --';

const targets: Readonly<Record<string, Target>> = {
  MariaDB: {
    format: 'mysqldump',
    create: createMariaDbScript,
    load(script, observations) {
      mariadb.demand('CREATE OR REPLACE DATABASE grammar CHARACTER SET utf8mb4');
      // Commands of the client are read as well, unlike in binary mode.
      const socket = `--socket=${mariadb.socket}`;
      const words = ['--no-defaults', socket, '--user=root', '--batch', 'grammar'];
      const { status, stderr } = run(demandProgram('mariadb'), words, script);
      if (status !== 0) return stderr;
      const queries = observations.map(({ query }) => `${query}; SELECT '${MARK}';\n`);
      return split(mariadb.demand(Buffer.from(queries.join(''), 'latin1'), 'grammar'));
    },
  },
  PostgreSQL: {
    format: 'pg_dump',
    create: createPostgresScript,
    load(script, observations) {
      postgres.demand(CLEAR, 'grammar');
      const { status, stderr } = postgres.run(script, 'grammar');
      if (status !== 0) return stderr;
      const queries = observations.map(({ query }) => `${query};\n\\echo ${MARK}\n`);
      return split(postgres.demand(queries.join(''), 'grammar'));
    },
  },
};

// It accepts any bytes as text.
postgres.demand("CREATE DATABASE grammar ENCODING 'SQL_ASCII' TEMPLATE template0 LOCALE 'C'");

const CLEAR = `SET client_min_messages = error;
SELECT format('DROP SCHEMA %I CASCADE', nspname) FROM pg_namespace
WHERE nspname !~ '^(pg_|information_schema)' \\gexec
CREATE SCHEMA public;`;

const split = (output: Buffer): string[] => output.toString('latin1').split(`${MARK}\n`);

describe('what a conversion does to literals', () => {
  // 50 in .ci/run, and 500 at night.
  const count = scale(50);

  it.each(Object.entries(targets))(
    '%s reads as it was, or text as it was meant',
    async (_, target) => {
      const wrong: string[] = [];
      const refused: Record<string, number> = {};
      for (let i = 0; i < count; i++) {
        const script = target.create(seed + i * 7919);
        const found = await compare(target, script);
        if (found.refused) {
          const reason = found.refused.replace(/^.*?:\d+: /, '').replace(/"[^"]*"/g, '…');
          refused[reason] = (refused[reason] ?? 0) + 1;
        }
        for (const fault of found.faults)
          wrong.push(`seed ${seed + i * 7919}: ${fault}\n${script.text}`);
      }
      if (isNight) console.log(`${count} scripts, refused: ${JSON.stringify(refused)}`);
      expect(wrong).toEqual([]);
      // Most are converted.
      const total = Object.values(refused).reduce((sum, each) => sum + each, 0);
      expect(total).toBeLessThan(count);
    },
    // As many as at night take minutes.
    1_800_000,
  );
});
