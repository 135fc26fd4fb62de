/** Consumers that contain strings, with our codec and frame for each: the table of packages/mutf8/README.md. */
import * as lenient from '@utf8/cesu8/lenient';
import * as dataInput from '@utf8/mutf8/data-input';
import { encodeUTF, readUTF, type TextFrame, type UTFOptions } from '@utf8/mutf8/framing';
import * as strict from '@utf8/strict';
import { readHessian, writeHessian } from './hessian.js';
import { readKryo, writeKryo } from './kryo.js';
import { readObject, writeObject } from './serialization.js';
import type { JavaProgram } from './start.js';

/** One row of the table. */
export interface Consumer {
  readonly name: string;
  readonly program: JavaProgram;
  /** Name of its operations. */
  readonly operation: string;
  write(text: string): Uint8Array;
  /** The frame at the start of the bytes. */
  read(bytes: Uint8Array): TextFrame;
  /**
   * Offset from which bytes can be damaged, if it refuses exactly the input that we refuse. Otherwise it
   * reads our strings alike, and may accept more.
   */
  readonly exactFrom?: number;
  /** True if it replaces errors, which the JDK counts by its own rules. */
  readonly replaces?: boolean;
  /** True if it reports the end of the bytes that it read. */
  readonly tellsNext?: boolean;
  /** Converts a text as the consumer does before it writes it; the text itself by default. */
  readonly becomes?: (text: string) => string;
  /** Texts that it does not write as we do, for a reason that a test of its own states. */
  readonly isOther?: (text: string) => boolean;
  /** Lengths in code units around which it, or its frame, changes. */
  readonly lengths: readonly number[];
}

const jdk: JavaProgram = { name: 'JDK', main: 'Jdk', jars: [] };
const hadoop: JavaProgram = {
  name: 'Hadoop',
  main: 'Hadoop',
  jars: ['hadoop-client-api-3.4.2', 'hadoop-client-runtime-3.4.2', 'slf4j-api-1.7.36'].map(
    (jar) => `hadoop/${jar}.jar`,
  ),
};
const bedrock: JavaProgram = {
  name: 'Bedrock NBT',
  main: 'BedrockNbt',
  jars: ['jvm/nbt-3.0.3.Final.jar'],
};

/** A frame that our options describe completely; `read` has more options if it accepts more. */
const framed = (writing: UTFOptions, reading: UTFOptions = writing) => ({
  write: (text: string) => encodeUTF(text, writing),
  read: (bytes: Uint8Array) => readUTF(bytes, 0, reading),
});

const kryo = (version: string, mostAscii: number): Consumer => ({
  name: `Kryo ${version[0]}`,
  program: { name: `Kryo ${version}`, main: 'Kryo', jars: [`jvm/kryo-${version}.jar`] },
  operation: 'string',
  write: (text) => writeKryo(text, mostAscii),
  read: (bytes) => readKryo(bytes, 0),
  tellsNext: true,
  lengths: [1, 2, 32, 33, 63, 64, 8190, 8191, 8192, 100_000],
});

/** A compound without a name, in which a string has none. */
const javaNbt = {
  write: (text: string) =>
    Buffer.concat([Buffer.from([10, 0, 0, 8, 0, 0]), encodeUTF(text), Buffer.from([0])]),
  read(bytes: Uint8Array): TextFrame {
    const { text, next } = readUTF(bytes, 6, { codec: dataInput });
    if (bytes[next] !== 0) throw new RangeError('no end');
    return { text, next: next + 1 };
  },
};

/** Policy of Java's `getBytes(UTF_8)` for unpaired surrogates. */
const questionMarks = { errors: () => '?' } as const;
const withQuestionMarks = (text: string): string => text.replaceAll(/[\ud800-\udfff]/gu, '?');
const utf8: UTFOptions = { codec: strict, ...questionMarks };
const replacing: UTFOptions = { codec: strict, errors: 'replace' };

export const consumers: readonly Consumer[] = [
  {
    name: 'DataInput, DataOutput',
    program: jdk,
    operation: 'data',
    ...framed({}, { codec: dataInput }),
    exactFrom: 0,
    tellsNext: true,
    lengths: [65_535, 65_536],
  },
  {
    name: 'Java serialization',
    program: jdk,
    operation: 'object',
    write: writeObject,
    read: readObject,
    exactFrom: 5,
    lengths: [65_535, 65_536, 100_000],
  },
  {
    name: 'Hessian 2',
    program: { name: 'Hessian 4.0.66', main: 'Hessian', jars: ['jvm/hessian-4.0.66.jar'] },
    operation: 'string',
    write: writeHessian,
    read: (bytes) => readHessian(bytes, 0),
    tellsNext: true,
    lengths: [31, 32, 1023, 1024, 32_767, 32_768, 32_769, 65_535, 65_536, 65_537, 100_000],
  },
  kryo('4.0.3', 63),
  kryo('5.6.2', 32),
  {
    name: 'Lucene up to 2.3',
    program: { name: 'Lucene 2.3.2', main: 'EarlyLucene', jars: ['jvm/lucene-core-2.3.2.jar'] },
    operation: 'string',
    ...framed({ length: 'uleb128', lengthIn: 'units' }),
    tellsNext: true,
    lengths: [127, 128, 16_383, 16_384, 65_536],
  },
  {
    name: 'Lucene',
    program: { name: 'Lucene 9.12.1', main: 'Lucene', jars: ['jvm/lucene-core-9.12.1.jar'] },
    operation: 'string',
    ...framed({ ...replacing, length: 'uleb128', signed: true }),
    exactFrom: 0,
    replaces: true,
    tellsNext: true,
    becomes: (text) => text.toWellFormed(),
    lengths: [127, 128, 16_383, 16_384, 65_536],
  },
  {
    name: 'Hadoop Text',
    program: hadoop,
    operation: 'text',
    ...framed({ ...utf8, length: 'hadoop-vint' }, { ...replacing, length: 'hadoop-vint' }),
    exactFrom: 0,
    replaces: true,
    tellsNext: true,
    becomes: withQuestionMarks,
    lengths: [127, 128, 255, 256, 65_535, 65_536],
  },
  {
    name: 'Hadoop UTF8',
    program: hadoop,
    operation: 'utf8',
    ...framed({ codec: lenient }),
    tellsNext: true,
    lengths: [127, 128, 21_845],
  },
  {
    name: 'NBT, Java edition',
    program: {
      name: 'adventure-nbt 4.17.0',
      main: 'JavaNbt',
      jars: ['jvm/adventure-nbt-4.17.0.jar', 'jvm/examination-api-1.3.0.jar'],
    },
    operation: 'string',
    ...javaNbt,
    exactFrom: 6,
    tellsNext: true,
    lengths: [65_535, 65_536],
  },
  {
    name: 'NBT, Bedrock edition, files',
    program: bedrock,
    operation: 'file',
    ...framed({ ...utf8, endian: 'le' }, { ...replacing, endian: 'le' }),
    exactFrom: 0,
    replaces: true,
    tellsNext: true,
    becomes: withQuestionMarks,
    isOther: (text) => strict.byteLength(text, questionMarks) > 0xffff,
    lengths: [32_767, 32_768, 65_535],
  },
  {
    name: 'NBT, Bedrock edition, network',
    program: bedrock,
    operation: 'network',
    ...framed({ ...utf8, length: 'uleb128' }, { ...replacing, length: 'uleb128', signed: true }),
    exactFrom: 0,
    replaces: true,
    tellsNext: true,
    becomes: withQuestionMarks,
    lengths: [127, 128, 16_383, 16_384, 65_536],
  },
];

/** DEX, whose strings are in whole files. */
export const dex: JavaProgram = {
  name: 'dexlib2 2.5.2',
  main: 'Dex',
  jars: ['jvm/dexlib2-2.5.2.jar', 'jvm/guava-33.4.0-jre.jar', 'jvm/failureaccess-1.0.2.jar'],
};

/** HPROF, as HotSpot writes it, and as NetBeans' profiler (and VisualVM) reads it. */
export const heap: JavaProgram = {
  name: 'HPROF',
  main: 'HeapDump',
  jars: ['jvm/org-netbeans-lib-profiler-RELEASE220.jar'],
};
