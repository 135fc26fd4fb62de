import { explainSequence, Notes, split } from '@utf8/explain';
import { directory } from '../../../../../packages/cli/src/command/directory.js';
import { formatNote, formatSequence } from '../../../../../packages/cli/src/explain/annotate.js';
import { parseHex } from '../../../../../packages/cli/src/explain/hex.js';
import { parse } from '../../../../../packages/cli/src/option/parse.js';
import { formatJson } from '../../../../../packages/cli/src/terminal/escape.js';
import { createStyle, escapePainted } from '../../../../../packages/cli/src/terminal/style.js';
import { compose, type Input } from '../input.js';
import { require, requireSame, type Target } from '../target.js';
import { vectorInputs } from '../vectors.js';

const style = createStyle(true);

// biome-ignore lint/suspicious/noControlCharactersInRegex: no terminal may get them.
const UNSAFE = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Cs}/u;

const codes = ['ERR_UTF8_USAGE', 'ERR_UTF8_LABEL'];

/** Returns the result, or undefined if it is refused as an invalid command line. */
async function settle<T>(action: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    if (codes.includes(Object(error).code)) return undefined;
    throw error;
  }
}

async function checkHex(bytes: Uint8Array, text: string): Promise<void> {
  for (const join of ['', ' ', ', ']) {
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(join);
    if (bytes.length > 0) requireSame(parseHex(hex), bytes, 'bytes in hex');
  }
  const found = await settle(() => parseHex(text));
  require(!found || found.length <= text.length / 2, 'more bytes than digits');
}

function checkLines(bytes: Uint8Array): void {
  const notes = new Notes();
  const lines: string[] = [];
  const sequences = split(bytes, 0, true);
  let next = sequences.next();
  for (; !next.done; next = sequences.next()) {
    const explanation = explainSequence(next.value);
    lines.push(formatJson(explanation));
    lines.push(...formatSequence(explanation, style).map(escapePainted));
    notes.add(next.value);
  }
  lines.push(...notes.list().flatMap((note) => formatNote(note, style).map(escapePainted)));
  const raw = lines.flatMap((line) => line.split('\n')).find((line) => UNSAFE.test(line));
  require(raw === undefined, `a control that reaches the terminal: ${raw}`);
}

async function checkOptions(input: Input): Promise<void> {
  const [name, , load] = input.pick(directory);
  const { command } = await load();
  const flags = Object.keys(command.options ?? {});
  const words = Buffer.from(input.rest()).toString().split('\n').slice(0, 12);
  const args = words.map((word) => (input.isChosen() ? `--${input.pick(flags)}` : word));
  const parsed = await settle(() => parse(args, command));
  if (!parsed) return;
  require(Array.isArray(parsed.operands), `${name} without operands`);
}

export const target: Target = {
  title: 'what the command reads: hex digits, options, and bytes to explain',
  maxLength: 512,
  isAsync: true,
  *seeds() {
    for (const [i, bytes] of vectorInputs().entries()) if (i < 300) yield compose(bytes, i % 2);
    for (const text of ['ED A0 BD', '0xEDA0, \\xBD %ED', 'ED A']) yield compose(text, 0);
    for (let i = 0; i < 40; i++)
      yield compose('--from\ncesu-8\n-o\nout\nin\n--json', 2, i, i & 3, i, 1);
  },
  async run(input) {
    const mode = input.below(3);
    if (mode === 2) return checkOptions(input);
    const bytes = input.rest();
    if (mode === 0) await checkHex(bytes, Buffer.from(bytes).toString());
    else checkLines(bytes);
  },
};
