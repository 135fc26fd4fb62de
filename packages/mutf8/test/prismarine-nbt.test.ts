/** Java's strings in real prismarine-nbt, with what ProtoDef has to make protocols, and without them. */
import { createRequire } from 'node:module';
import * as mutf8 from '@utf8/mutf8';
import * as dataInput from '@utf8/mutf8/data-input';
import { createCompilerTypes, createStringType, register } from '@utf8/mutf8/protodef';
import type Nbt from 'prismarine-nbt';
import { describe, expect, it } from 'vitest';
import { loadFresh } from '../../../tooling/oracles/interop/src/fresh.js';
import { readHex } from '../../../tooling/oracles/interop/src/hex.js';
import { file, texts, writeCompound } from './nbt.js';

type PrismarineNbt = typeof Nbt;

const require = createRequire(import.meta.url);
const protodef = require('protodef');

const load = (): PrismarineNbt => loadFresh<PrismarineNbt>(require, 'prismarine-nbt');

const loadRegistered = (options?: Parameters<typeof register>[1]): PrismarineNbt => {
  const nbt = load();
  register(nbt, options);
  return nbt;
};

/** Output of Python's nbtlib for { a: 'x\0y', b: '😀' }: UTF-8. */
const nbtlib = '0A 0000 08 0001 61 0003 780079 08 0001 62 0004 F09F9880 00';

const show = (bytes: Buffer): string => bytes.toString('hex');

/** Content of the file, as prismarine-nbt returns it. */
const content = {
  type: 'compound',
  name: texts[0],
  value: {
    ...Object.fromEntries(texts.map((text) => [text, { type: 'string', value: text }])),
    list: { type: 'list', value: { type: 'string', value: texts } },
    compound: {
      type: 'compound',
      value: Object.fromEntries(texts.map((text) => [text, { type: 'int', value: text.length }])),
    },
  },
};

/** The protocols that there are for the big-endian format. */
const protocols = {
  'compiled already': (nbt: PrismarineNbt) => nbt.proto,
  'compiled later': (nbt: PrismarineNbt) => {
    const compiler = new protodef.Compiler.ProtoDefCompiler();
    nbt.addTypesToCompiler('big', compiler);
    return compiler.compileProtoDefSync();
  },
  interpreted: (nbt: PrismarineNbt) => {
    const interpreter = new protodef.ProtoDef();
    nbt.addTypesToInterpreter('big', interpreter);
    return interpreter;
  },
};

describe('prismarine-nbt as it is', () => {
  const nbt = load();

  it('reads two U+FFFD for U+0000, six for a pair and three for a lone surrogate', () => {
    const { value } = nbt.parseUncompressed(file);
    const names = Object.keys(value);
    expect(names[0]).toBe(`emoji ${'\ufffd'.repeat(12)}`);
    expect(names[1]).toBe(`nul ${'\ufffd'.repeat(2)} ${'\ufffd'.repeat(4)}`);
    expect(names[3]).toBe(`high ${'\ufffd'.repeat(3)}`);
    expect(value[names[3] as string]?.value).toBe(names[3]);
  });

  it('writes four bytes for a pair, which Java refuses', () => {
    const written = nbt.writeUncompressed(nbt.comp({ a: nbt.string('\u{1f600}') }) as Nbt.NBT);
    expect(written.includes(readHex('00 04 F0 9F 98 80'))).toBe(true);
  });

  it('does not write the bytes that it reads', () => {
    expect(nbt.writeUncompressed(nbt.parseUncompressed(file)).equals(file)).toBe(false);
  });
});

describe('prismarine-nbt with Java’s strings', () => {
  it('reads a file, and writes it byte for byte', async () => {
    const nbt = loadRegistered();
    const { parsed, type } = await nbt.parse(file);
    expect(type).toBe('big');
    expect(parsed).toEqual(content);
    expect(Object.keys(parsed.value)).toEqual(Object.keys(content.value));
    expect(show(nbt.writeUncompressed(parsed))).toBe(show(file));
    expect(show(nbt.writeUncompressed(nbt.parseUncompressed(file)))).toBe(show(file));
  });

  it.each(Object.entries(protocols))('so does a protocol: %s', (_, protocolOf) => {
    const protocol = protocolOf(loadRegistered());
    const { data, metadata } = protocol.parsePacketBuffer('nbt', file);
    expect(data).toEqual(content);
    expect(metadata.size).toBe(file.length);
    expect(show(protocol.createPacketBuffer('nbt', data))).toBe(show(file));
    expect(protocol.sizeOf(data, 'nbt', {})).toBe(file.length);
  });

  it.each(Object.entries(protocols))('asks for more of a file cut short: %s', (_, protocolOf) => {
    const protocol = protocolOf(loadRegistered());
    let cuts = 0;
    for (let end = 0; end < file.length; end++) {
      try {
        protocol.parsePacketBuffer('nbt', file.subarray(0, end));
        // Compiled code takes the end of the bytes for the end of a compound.
      } catch (error) {
        expect(error, `cut at ${end}`).toMatchObject({ partialReadError: true });
        cuts++;
      }
    }
    expect(cuts).toBeGreaterThan(file.length - 3 * texts.length);
  });

  it('waits for more in a stream', async () => {
    const parser = new protodef.Parser(protocols.interpreted(loadRegistered()), 'nbt');
    const parsed: unknown[] = [];
    parser.on('data', ({ data }: { data: unknown }) => parsed.push(data));
    for (const byte of [...file, ...file]) parser.write(Buffer.of(byte));
    await new Promise((resolve) => parser.end(resolve));
    expect(parsed).toEqual([content, content]);
  });

  it.each(Object.entries(protocols))(
    'refuses what Java refuses, and says where: %s',
    (_, protocolOf) => {
      const protocol = protocolOf(loadRegistered());
      for (const [wrong, reason] of [
        ['F0 9F 98 80', 'wrong-form'],
        ['41 FF', 'invalid-lead'],
        ['C3 28', 'truncated'],
      ] as const) {
        const bytes = writeCompound([[Buffer.from('name'), readHex(wrong)]]);
        expect(() => protocol.parsePacketBuffer('nbt', bytes)).toThrow(
          expect.objectContaining({ code: 'ERR_UTF8_DECODE', reason }),
        );
      }
      const long = { type: 'compound', name: '中'.repeat(21_846), value: {} };
      expect(() => protocol.createPacketBuffer('nbt', long)).toThrow(/65538 bytes.*65535/);
      const longest = { ...long, name: '中'.repeat(21_845) };
      const bytes = protocol.createPacketBuffer('nbt', longest);
      expect(protocol.parsePacketBuffer('nbt', bytes).data).toEqual(longest);
    },
  );

  it.each(Object.entries(protocols))(
    'reads a raw 00 and overlong forms, as Java does, and writes as Java writes: %s',
    (_, protocolOf) => {
      const protocol = protocolOf(loadRegistered());
      const bytes = writeCompound([[readHex('C1 81 00'), readHex('E0 80 AF C0 80')]]);
      const { data } = protocol.parsePacketBuffer('nbt', bytes);
      expect(data.value).toEqual({ 'A\0': { type: 'string', value: '/\0' } });
      expect(show(protocol.createPacketBuffer('nbt', data))).toBe(
        show(writeCompound([[readHex('41 C0 80'), readHex('2F C0 80')]])),
      );
    },
  );

  it.each(Object.entries(protocols))(
    'reads what nbtlib writes up to the four-byte form that Java refuses: %s',
    (_, protocolOf) => {
      const bytes = readHex(nbtlib);
      expect(() => protocolOf(loadRegistered()).parsePacketBuffer('nbt', bytes)).toThrow(
        expect.objectContaining({ code: 'ERR_UTF8_DECODE', offset: 18, reason: 'wrong-form' }),
      );
      const replacing = protocolOf(loadRegistered({ errors: 'replace' }));
      const { data } = replacing.parsePacketBuffer('nbt', bytes);
      expect(data.value).toEqual({
        a: { type: 'string', value: 'x\0y' },
        b: { type: 'string', value: '\ufffd'.repeat(4) },
      });
      expect(show(replacing.createPacketBuffer('nbt', data))).toContain('78c08079');
    },
  );

  it('takes a codec and a policy', () => {
    const bytes = writeCompound([[readHex('C1 81'), readHex('41 FF')]]);
    const parse = (options: Parameters<typeof register>[1]) =>
      loadRegistered(options).parseUncompressed(bytes).value;
    expect(parse({ codec: dataInput, errors: 'replace' })).toEqual({
      A: { type: 'string', value: 'A\ufffd' },
    });
    expect(parse({ codec: mutf8, errors: 'ignore' })).toEqual({
      '': { type: 'string', value: 'A' },
    });
    expect(() => parse({ codec: mutf8 })).toThrow('byte 6');
    expect(() => parse({})).toThrow('byte 11');
  });

  it('takes the last of several', () => {
    const nbt = loadRegistered();
    register(nbt, { errors: 'replace' });
    const bytes = writeCompound([[Buffer.of(), readHex('FF')]]);
    for (const protocolOf of Object.values(protocols)) {
      const { value } = protocolOf(nbt).parsePacketBuffer('nbt', bytes).data;
      expect(value['']).toEqual({ type: 'string', value: '\ufffd' });
    }
  });

  it.each(['little', 'littleVarint'] as const)('leaves the format %s alone', (format) => {
    const [nbt, original] = [loadRegistered(), load()];
    const value = { type: 'compound', name: 'é\u{1f600}', value: {} } as unknown as Nbt.NBT;
    const bytes = nbt.writeUncompressed(value, format);
    expect(bytes.includes(Buffer.from('é\u{1f600}'))).toBe(true);
    expect(bytes).toEqual(original.writeUncompressed(value, format));
    expect(nbt.parseUncompressed(bytes, format)).toEqual(value);

    const compiler = new protodef.Compiler.ProtoDefCompiler();
    nbt.addTypesToCompiler(format, compiler);
    expect(compiler.compileProtoDefSync().createPacketBuffer('nbt', value)).toEqual(bytes);
    // It has a name in the varint format that ProtoDef's validator does not know.
    const interpreter = new protodef.ProtoDef(false);
    nbt.addTypesToInterpreter(format, interpreter);
    expect(interpreter.createPacketBuffer('nbt', value)).toEqual(bytes);
  });

  it('lets parse find Bedrock’s files by themselves', async () => {
    const nbt = loadRegistered();
    const value = { type: 'compound', name: 'é\u{1f600}', value: {} } as unknown as Nbt.NBT;
    for (const format of ['big', 'little'] as const) {
      const { parsed, type } = await nbt.parse(nbt.writeUncompressed(value, format));
      expect(type).toBe(format);
      expect(parsed).toEqual(value);
    }
  });

  it('takes the namespace of the module, and says where it is none', async () => {
    const namespace = await import('prismarine-nbt');
    register(namespace);
    expect(namespace.parseUncompressed(file)).toEqual(content);
    expect(() => register({} as PrismarineNbt)).toThrow('Expected the exports of prismarine-nbt 2');
    expect(() => register(undefined as unknown as PrismarineNbt)).toThrow('prismarine-nbt 2');
  });

  it('is there for CommonJS', { tags: ['slow'] }, () => {
    const nbt = load();
    require('@utf8/mutf8/protodef').register(nbt);
    expect(nbt.parseUncompressed(file)).toEqual(content);
  });
});

describe('a protocol of one’s own', () => {
  const packet = { name: '\0\u{1f600}', size: 7 };
  const bytes = readHex('00 08 C0 80 ED A0 BD ED B8 80 07');
  const fields = [
    'container',
    [
      { name: 'name', type: 'text' },
      { name: 'size', type: 'u8' },
    ],
  ];

  it('has the type when it is interpreted', () => {
    const interpreter = new protodef.ProtoDef();
    interpreter.addTypes({ text: createStringType(), packet: fields });
    expect(interpreter.parsePacketBuffer('packet', bytes).data).toEqual(packet);
    expect(interpreter.createPacketBuffer('packet', packet)).toEqual(bytes);
  });

  it('has the type when it is compiled, and takes different ones', () => {
    const compiler = new protodef.Compiler.ProtoDefCompiler();
    compiler.addTypes(createCompilerTypes(['text']));
    compiler.addTypes(createCompilerTypes(['lax'], { errors: 'replace' }));
    compiler.addTypesToCompile({ packet: fields });
    const protocol = compiler.compileProtoDefSync();
    expect(protocol.parsePacketBuffer('packet', bytes).data).toEqual(packet);
    expect(protocol.createPacketBuffer('packet', packet)).toEqual(bytes);
    expect(protocol.parsePacketBuffer('lax', readHex('00 01 FF')).data).toBe('\ufffd');
    expect(() => protocol.parsePacketBuffer('text', readHex('00 01 FF'))).toThrow('byte 2');
  });

  it('fails as a pstring does where bytes are missing', () => {
    const [read] = createStringType();
    const own = new protodef.ProtoDef();
    for (const [cut, missing] of [
      ['', 2],
      ['00', 1],
      ['00 02', 2],
      ['00 02 41', 1],
    ] as const) {
      const attempt = (parse: () => unknown) => {
        try {
          return parse();
        } catch (error) {
          return error as Record<string, unknown>;
        }
      };
      const ours = attempt(() => read(readHex(cut), 0));
      const theirs = attempt(() =>
        own.read(readHex(cut), 0, ['pstring', { countType: 'u16' }], {}),
      );
      expect(ours).toMatchObject({ missing, code: 'ERR_UTF8_FRAME' });
      for (const error of [ours, theirs]) {
        expect(error).toBeInstanceOf(Error);
        expect(error).toMatchObject({ name: 'PartialReadError', partialReadError: true });
      }
    }
  });
});
