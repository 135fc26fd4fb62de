/** Recorded answers of other implementations: packages/cesu8/test/recorded. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formatBytes } from './answer.js';
import { generateBytes, generateTexts } from './corpus.js';
import type { Peer } from './peer.js';
import { type Inputs, listAllSamples, listOperations } from './suite.js';

const folder = fileURLToPath(new URL('../../../../packages/cesu8/test/recorded/', import.meta.url));

/** Peers whose answers are recorded. */
export const recordedPeers: readonly string[] = [
  ...['jvm', 'icu', 'iconv', 'python', 'perl', 'lua', 'rust', 'cto', 'bynens'],
];

/** Inputs whose answers are recorded: samples of disagreements, and others. */
export const recordedInputs: Inputs = {
  bytes: distinct([
    ...listAllSamples('bytes'),
    ...Array.from(generateBytes(1, 160)).filter(({ length }) => length <= 20),
  ]),
  texts: distinct([...listAllSamples('texts'), ...generateTexts(1, 60)]),
};

function distinct(inputs: readonly Uint8Array[]): Uint8Array[] {
  return [...new Map(inputs.map((input) => [formatBytes(input), input])).values()];
}

/** Asks a peer about the recorded inputs: a line for each answer. Its messages are left out. */
export async function interview(peer: Peer): Promise<string> {
  const lines = [`# ${peer.about}`];
  for (const [operation, input] of listOperations(peer.name)) {
    const digits = recordedInputs[input].map(formatBytes);
    const answers = await peer.ask(operation, digits);
    lines.push(
      ...answers.map((answer, i) => {
        const plain = answer.replace(/^(fault \S+)( (\d+)$)?.*/, '$1$2');
        return `${operation} ${digits[i]}: ${plain}`;
      }),
    );
  }
  return `${lines.join('\n')}\n`;
}

const fileOf = (peer: string): string => `${folder}${peer}.txt`;

export const readInterview = (peer: string): string =>
  existsSync(fileOf(peer)) ? readFileSync(fileOf(peer), 'utf8') : '';

export const writeInterview = (peer: string, text: string): void =>
  writeFileSync(fileOf(peer), text);

/** A peer that answers as recorded. */
export function replay(name: string): Peer {
  const [about = '', ...lines] = readInterview(name).trimEnd().split('\n');
  const answers = new Map(lines.map((line) => line.split(': ') as [string, string]));
  return {
    name,
    about: about.slice('# '.length),
    ask: async (operation, inputs) =>
      inputs.map((digits) => {
        const answer = answers.get(`${operation} ${digits}`);
        if (answer === undefined) throw new Error(`not recorded: ${operation} ${digits}`);
        return answer;
      }),
    stop: () => {},
  };
}
