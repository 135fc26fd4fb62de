/** The implementations that confirm the vectors, and how each is called. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Aspect, Variant } from '../../../../packages/vectors/src/index.js';
// The peers of the differential tests, whose package exports nothing.
import { node } from '../../interop/src/node.js';
import { type Peer, type Program, ProgramPeer } from '../../interop/src/peer.js';
import { programs } from '../../interop/src/programs.js';

/** One operation of a peer, by its name in the vectors. */
export interface Implementation {
  readonly name: (version: string) => string;
  /** Description of the call. */
  readonly asked: string;
  readonly peer: string;
  readonly variant: Variant;
  /** Operation that answers with the text, or a fault. */
  readonly decode?: string;
  /** Operation that answers with U+FFFD for malformed bytes, and its practices of counting them. */
  readonly replace?: readonly [operation: string, ...practices: Practice[]];
  /** The numbers in an answer: UTF-16 code units, or code points. */
  readonly answers: 'units' | 'points';
  /** True if lone surrogates in an answer count as malformed. */
  readonly wellFormed?: boolean;
}

type Practice = Extract<Aspect, 'maximalSubparts' | 'java' | 'perByte'>;

const go = fileURLToPath(new URL('../peers/main.go', import.meta.url));

const repair = fileURLToPath(new URL('../peers/repair.py', import.meta.url));

const goProgram: Program = {
  name: 'go',
  build: (_, folder) => [
    'env',
    // Keeps compiled packages of Go's library for the next run, inside the clone.
    `HOME=${folder}`,
    `GOCACHE=${path.resolve(folder, '../go')}`,
    'GOFLAGS=-mod=mod',
    'go',
    'build',
    '-o',
    `${folder}/go`,
    go,
  ],
  start: (_, folder) => [`${folder}/go`],
};

const combinations = fileURLToPath(new URL('../peers/combinations.py', import.meta.url));

const combinationsProgram: Program = {
  name: 'combinations',
  start: () => ['python3', combinations],
};

const repairProgram: Program = {
  name: 'repair',
  start: () => ['python3', repair],
};

export const implementations: readonly Implementation[] = [
  {
    name: (version) => `TextDecoder (Node ${major(version)})`,
    asked: 'TextDecoder, fatal and not, with ignoreBOM',
    peer: 'node',
    variant: 'utf-8',
    decode: 'utf8.decode',
    replace: ['utf8.replace', 'maximalSubparts'],
    answers: 'units',
  },
  {
    name: (version) => `JDK ${major(version)} UTF-8`,
    asked: 'CharsetDecoder of UTF-8, with REPORT and with REPLACE',
    peer: 'jvm',
    variant: 'utf-8',
    decode: 'utf8.decode',
    replace: ['utf8.replace', 'java'],
    answers: 'units',
  },
  {
    name: (version) => `ICU ${major(version)} UTF-8`,
    asked: 'ucnv_toUnicode of UTF-8, with the callback that stops and the one that substitutes',
    peer: 'icu',
    variant: 'utf-8',
    decode: 'utf8.decode',
    replace: ['utf8.replace', 'maximalSubparts'],
    answers: 'units',
  },
  {
    name: (version) => `Python ${minor(version)} utf-8`,
    asked: "bytes.decode('utf-8'), strict and replace",
    peer: 'python',
    variant: 'utf-8',
    decode: 'utf8.decode',
    replace: ['utf8.replace', 'maximalSubparts'],
    answers: 'units',
  },
  {
    name: (version) => `Perl ${minor(version)} UTF-8`,
    asked: 'Encode::decode of UTF-8, the strict one, with FB_QUIET',
    peer: 'perl',
    variant: 'utf-8',
    decode: 'utf8.decode',
    answers: 'points',
  },
  {
    name: (version) => `Go ${minor(version)}`,
    asked: 'utf8.Valid and utf8.DecodeRune',
    peer: 'go',
    variant: 'utf-8',
    decode: 'utf8.decode',
    replace: ['utf8.replace', 'perByte'],
    answers: 'points',
  },
  {
    name: (version) => `JDK ${major(version)} CESU-8`,
    asked: 'CharsetDecoder of CESU-8, with REPORT and with REPLACE',
    peer: 'jvm',
    variant: 'cesu-8',
    decode: 'cesu8.decode',
    replace: ['cesu8.replace', 'java'],
    answers: 'units',
  },
  {
    name: (version) => `JDK ${major(version)} CESU-8, no lone surrogates`,
    asked:
      'CharsetDecoder of CESU-8; a lone surrogate in the result counts as malformed, and is replaced',
    peer: 'jvm',
    variant: 'cesu-8',
    decode: 'cesu8.decode',
    replace: ['cesu8.replace', 'maximalSubparts'],
    answers: 'units',
    wellFormed: true,
  },
  {
    name: (version) => `ICU ${major(version)} CESU-8`,
    asked: 'ucnv_toUnicode of CESU-8, with the callback that stops and the one that substitutes',
    peer: 'icu',
    variant: 'cesu-8',
    decode: 'cesu8.decode',
    replace: ['cesu8.replace', 'maximalSubparts'],
    answers: 'units',
  },
  {
    name: (version) => `JDK ${major(version)} CESU-8`,
    asked: 'CharsetDecoder of CESU-8, with REPORT and with REPLACE',
    peer: 'jvm',
    variant: 'cesu-8-lenient',
    decode: 'cesu8.decode',
    replace: ['cesu8.replace', 'java', 'maximalSubparts'],
    answers: 'units',
  },
  {
    name: (version) => `ICU ${major(version)} CESU-8`,
    asked: 'ucnv_toUnicode of CESU-8, with the callback that stops and the one that substitutes',
    peer: 'icu',
    variant: 'cesu-8-lenient',
    decode: 'cesu8.decode',
    replace: ['cesu8.replace', 'maximalSubparts'],
    answers: 'units',
  },
  {
    name: (version) => `Python ${minor(version)} surrogatepass, no lone surrogates`,
    asked:
      "bytes.decode('utf-8', 'surrogatepass'), its surrogates then read as UTF-16; a lone one counts as malformed",
    peer: 'python',
    variant: 'cesu-8+utf-8',
    decode: 'utf8.surrogatepass',
    answers: 'units',
    wellFormed: true,
  },
  {
    name: (version) => `Python ${minor(version)} surrogatepass or replace`,
    asked:
      "bytes.decode('utf-8'), where surrogatepass repairs, or else replace; a lone surrogate is replaced",
    peer: 'repair',
    variant: 'cesu-8+utf-8',
    replace: ['utf8.mend', 'maximalSubparts'],
    answers: 'units',
    wellFormed: true,
  },
  {
    name: (version) => `HotSpot ${major(version)} class loader`,
    asked: 'the bytes as a constant of a class file of version 61, defined and read back',
    peer: 'jvm',
    variant: 'mutf-8',
    decode: 'class61',
    answers: 'units',
  },
  {
    name: (version) => `JDK ${major(version)} readUTF`,
    asked: 'DataInputStream.readUTF',
    peer: 'jvm',
    variant: 'mutf-8',
    decode: 'readUTF',
    answers: 'units',
  },
  {
    name: (version) => `JDK ${major(version)} readUTF`,
    asked: 'DataInputStream.readUTF',
    peer: 'jvm',
    variant: 'mutf-8-lenient',
    decode: 'readUTF',
    answers: 'units',
  },
  {
    name: (version) => `glibc ${minor(version)} iconv`,
    asked: 'iconv from UTF-8 to UCS-4BE',
    peer: 'iconv',
    variant: 'rfc2279',
    decode: 'utf8.decode',
    answers: 'points',
  },
  {
    name: (version) => `Perl ${minor(version)} utf8`,
    asked: 'Encode::decode of utf8, the lax one, with FB_QUIET',
    peer: 'perl',
    variant: 'rfc2279',
    decode: 'lax.decode',
    answers: 'points',
  },
  {
    name: (version) => `Perl ${minor(version)} utf8`,
    asked: 'Encode::decode of utf8, the lax one, with FB_QUIET',
    peer: 'perl',
    variant: 'rfc2279-lax',
    decode: 'lax.decode',
    answers: 'points',
  },
  {
    name: (version) => `Lua ${version} utf8, lax`,
    asked: 'utf8.len and utf8.codes, lax',
    peer: 'lua',
    variant: 'rfc2279-lax',
    decode: 'lax.decode',
    answers: 'points',
  },
  {
    name: (version) => `Python ${minor(version)} surrogatepass, no pairs`,
    asked:
      "bytes.decode('utf-8', 'surrogatepass'); two surrogates that make a pair count as malformed",
    peer: 'combinations',
    variant: 'wtf-8',
    decode: 'wtf8.decode',
    replace: ['wtf8.replace', 'maximalSubparts'],
    answers: 'points',
  },
  {
    name: (version) => `Python ${minor(version)} surrogatepass`,
    asked: "bytes.decode('utf-8', 'surrogatepass'), its surrogates then read as UTF-16",
    peer: 'python',
    variant: 'wtf-8-generalized',
    decode: 'utf8.surrogatepass',
    answers: 'units',
  },
  {
    name: (version) => `Python ${minor(version)} surrogatepass or replace, lone surrogates kept`,
    asked: "bytes.decode('utf-8'), where surrogatepass repairs, or else replace",
    peer: 'repair',
    variant: 'wtf-8-generalized',
    replace: ['utf8.mend', 'maximalSubparts'],
    answers: 'units',
  },
  {
    name: (version) => `Python ${minor(version)} surrogatepass, C0 80 as NUL`,
    asked: "bytes.decode('utf-8', 'surrogatepass') of what C0 80 separates; 00 counts as malformed",
    peer: 'combinations',
    variant: 'mutf-8-android',
    decode: 'android.decode',
    replace: ['android.replace', 'maximalSubparts'],
    answers: 'points',
  },
  {
    name: (version) => `Python ${minor(version)} utf-8, F0 to F4 as FF`,
    asked: "bytes.decode('utf-8') after FF has taken the place of the leads of four bytes",
    peer: 'combinations',
    variant: 'utf8mb3',
    decode: 'mb3.decode',
    replace: ['mb3.replace', 'maximalSubparts'],
    answers: 'points',
  },
];

/** Starts peers. */
export async function startPeers(names: readonly string[]): Promise<ReadonlyMap<string, Peer>> {
  const wanted = [...programs, goProgram, repairProgram, combinationsProgram].filter(({ name }) =>
    names.includes(name),
  );
  const started = await Promise.all(wanted.map((program) => ProgramPeer.start(program)));
  return new Map<string, Peer>([node, ...started].map((peer) => [peer.name, peer]));
}

/** Finds the version in the description of a peer: `5.036000` of Perl is 5.36. */
export function findVersion(about: string): string {
  const perl = /^Perl (\d+)\.(\d{3})/.exec(about);
  if (perl) return `${perl[1]}.${Number(perl[2])}`;
  return /\d+(?:\.\d+)*/.exec(about.replace(/^.*VM /, ''))?.[0] ?? about;
}

const major = (version: string): string => version.split('.')[0] as string;
const minor = (version: string): string => version.split('.').slice(0, 2).join('.');
