/**
 * Checks that editors find the definition of each export in the package's sources.
 *
 * @module-tag slow
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from '../src/packages.js';

interface Place {
  readonly file: string;
  readonly start: { readonly line: number; readonly offset: number };
}

/** The server of TypeScript that editors ask, VS Code among them. */
class Server {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (body: unknown) => void>();
  #count = 0;

  constructor() {
    const program = createRequire(import.meta.url).resolve('typescript/lib/tsserver.js');
    const words = [program, '--disableAutomaticTypingAcquisition', '--suppressDiagnosticEvents'];
    this.#process = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
    let text = '';
    this.#process.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      // Each message is one line, after a header.
      const lines = (text + chunk).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        if (!line.startsWith('{')) continue;
        const { request_seq, body } = JSON.parse(line);
        this.#waiting.get(request_seq)?.(body);
      }
    });
  }

  tell(command: string, args: object): number {
    const seq = ++this.#count;
    this.#process.stdin?.write(
      `${JSON.stringify({ seq, type: 'request', command, arguments: args })}\n`,
    );
    return seq;
  }

  ask<T>(command: string, args: object): Promise<T> {
    return new Promise((resolve) => {
      this.#waiting.set(this.tell(command, args), resolve as (body: unknown) => void);
    });
  }

  stop(): void {
    this.#process.kill();
  }
}

// Below the packages that this one depends on, as a program's file is.
const parent = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));
mkdirSync(parent, { recursive: true });
const folder = mkdtempSync(path.join(parent, 'definition-'));
let server: Server;
beforeAll(() => {
  server = new Server();
});
afterAll(() => {
  server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Calls of a program, and the source of each definition with the line that declares it. */
const cases = [
  ['@utf8/cesu8', 'decode', 'packages/cesu8/src/generated/index.ts', 'export const decode'],
  // With the types of the full codec.
  ['@utf8/cesu8/mixed/lite', 'encode', 'packages/cesu8/src/generated/mixed/index.ts', 'encode'],
  ['@utf8/mutf8/framing', 'readUTF', 'packages/mutf8/src/framing/', 'readUTF'],
  ['@utf8/core', 'defineGrammar', 'packages/core/src/grammar/grammar.ts', 'defineGrammar'],
  ['@utf8/detect', 'labelFor', 'packages/detect/src/label.ts', 'function labelFor'],
  ['@utf8/classfile/jar', 'readJar', 'packages/classfile/src/jar.ts', 'readJar'],
  ['@utf8/dump', 'convertDump', 'packages/dump/src/', 'convertDump'],
  ['@utf8/vectors/probe', 'probe', 'packages/vectors/src/probe/', 'function probe'],
] as const;

it.each([
  ['ESM', 'mts'],
  ['CommonJS', 'cts'],
])('is in src, for a program in %s', async (_, extension) => {
  const lines = cases.map(
    ([specifier, name], i) => `import { ${name} as f${i} } from '${specifier}';`,
  );
  const uses = cases.map((_, i) => `f${i};`);
  const file = path.join(folder, `program.${extension}`);
  writeFileSync(file, [...lines, ...uses, ''].join('\n'));
  const compilerOptions = { module: 'nodenext', target: 'es2022', types: [] };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  server.tell('open', { file });
  for (const [i, [specifier, , source, declaration]] of cases.entries()) {
    const at = { file, line: cases.length + i + 1, offset: 1 };
    const [place] = await server.ask<Place[]>('definition', at);
    const found = path.relative(root, place?.file ?? '').replaceAll(path.sep, '/');
    expect(found, specifier).toContain(source);
    const line = readFileSync(place?.file ?? '', 'utf8').split('\n')[(place?.start.line ?? 0) - 1];
    expect(line, specifier).toContain(declaration);
  }
});

it('finds members of types, too', async () => {
  const file = path.join(folder, 'members.mts');
  writeFileSync(
    file,
    "import type { Fault } from '@utf8/core';\nexport const read = (fault: Fault) => fault.reason;\n",
  );
  server.tell('open', { file });
  const [place] = await server.ask<Place[]>('definition', { file, line: 2, offset: 47 });
  expect(path.relative(root, place?.file ?? '')).toBe(
    path.join('packages/core/src/fault/fault.ts'),
  );
  const line = readFileSync(place?.file ?? '', 'utf8').split('\n')[(place?.start.line ?? 0) - 1];
  expect(line).toMatch(/^ {2}readonly reason: /);
});
