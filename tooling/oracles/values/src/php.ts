/** PHP as an oracle for serialized values. */
import { fileURLToPath } from 'node:url';
import { run } from '../../src/program.js';

const program = fileURLToPath(new URL('../programs/serialized.php', import.meta.url));

/** A serialized value with texts in CESU-8, and the same one in UTF-8. */
export type Pair = readonly [before: Buffer, after: Buffer];

/** Makes random values, or sessions. */
export const makePairs = (seed: number, count: number): Pair[] =>
  linesOf(run(['php', program, 'pairs', `${seed}`, `${count}`])).map((line) => {
    const [before = '', after = ''] = line.split(' ');
    return [Buffer.from(before, 'base64'), Buffer.from(after, 'base64')];
  });

/** Tells for each value whether PHP reads it from its first to its last byte. */
export const areRead = (values: readonly Uint8Array[]): boolean[] =>
  linesOf(
    run(['php', program, 'read'], {
      input: values.map((value) => `${Buffer.from(value).toString('base64')}\n`).join(''),
    }),
  ).map((answer) => answer === '1');

const linesOf = (output: Buffer): string[] => output.toString().split('\n').slice(0, -1);

/** Rules of the format, token by token: allowed and forbidden values. */
export const values: readonly string[] = [
  ...['N;', 'N', 'n;', 'b:0;', 'b:1;', 'b:2;', 'b:;', 'i:5;', 'i:+5;', 'i:-05;', 'i:;', 'i:1.5;'],
  ...[
    'd:1;',
    'd:.5E+3;',
    'd:1.;',
    'd:.;',
    'd:-INF;',
    'd:INF;',
    'd:NAN;',
    'd:-NAN;',
    'd:0x1;',
    'd:1e;',
  ],
  ...[
    's:3:"abc";',
    's:03:"abc";',
    's:+3:"abc";',
    's:2:"abc";',
    's:4:"abc";',
    's:3:"abc"',
    's:3:abc;',
  ],
  ...['s:0:"";', 's:5:"a";b"";', 's:2:"é";', 's:1:"é";', 's:4:"😀";', 's:5:"😀";'],
  ...['S:5:"\\c3\\a9xyz";', 'S:3:"abc";', 'S:1:"\\4";', 'S:1:"\\zz";'],
  ...[
    'a:0:{}',
    'a:0:{};',
    'a:1:{}',
    'a:1:{i:0;N;}',
    'a:1:{i:0;N;',
    'a:1:{i:0;N;i:1;N;}',
    'a:1:{b:1;N;}',
  ],
  ...[
    'a:1:{s:1:"a";i:1;}',
    'a:1:{S:1:"a";i:1;}',
    'a:1:{d:1;i:1;}',
    'a:1:{N;i:1;}',
    'a:1:{a:0:{}i:1;}',
  ],
  ...[
    'O:3:"Foo":0:{}',
    'O:0:"":0:{}',
    'O:+3:"Foo":0:{}',
    'O:3:"Foo":1:{s:1:"a";N;}',
    'O:3:"Foo":1:{i:1;N;}',
  ],
  ...['O:4:"Ünü":0:{}', 'O:5:"Ünü":0:{}', 'o:1:{s:1:"a";i:1;}', 'O:3:"Foo":0:{};', 'O:3:"Foo";'],
  ...['C:6:"Custom":2:{N;}', 'C:6:"Custom":3:{N;}', 'C:6:"Custom":1:{N;}', 'C:6:"Custom":2:{N;'],
  ...[
    'E:11:"Suit:Hearts";',
    'E:10:"Suit:Hearts";',
    'E:11:"Suit:Hearts":',
    'a:2:{i:0;O:3:"Foo":0:{}i:1;r:3;}',
  ],
  ...['a:2:{i:0;s:1:"x";i:1;R:3;}', 'R:;', 'r:x;', ';', 'a', 'a:', 'x:1;', '{}', 'a:1:[i:0;N;]'],
];

/** The recording: `+` before each value that PHP reads, `-` before the others, and random values after `>`. */
export function record(): string {
  const isRead = areRead(values.map((value) => Buffer.from(value)));
  const pairs = makePairs(1, 400).filter(
    ([before, after]) => !before.equals(after) && before.length < 400,
  );
  const lines = [
    ...values.map((value, i) => `${isRead[i] ? '+' : '-'} ${value}`),
    ...pairs
      .slice(0, 60)
      .map((pair) => `> ${pair.map((value) => value.toString('base64')).join(' ')}`),
  ];
  return `${lines.join('\n')}\n`;
}
