/**
 * Loads the addon of Jazzer.js, which contains libFuzzer. The one that npm has is linked with glibc 2.38 and
 * GCC 13; it uses three of their symbols, none of which it needs: strtol and strtoul of C23, and a mark
 * that streams are set up by the library. On older systems, a copy is loaded that does without.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

/** Makes Jazzer.js find its addon. */
export function loadAddon(cache: string): void {
  const name = `fuzzer-${process.platform}-${process.arch}.node`;
  const file = path.join(
    path.dirname(require.resolve('@jazzer.js/fuzzer/package.json')),
    'prebuilds',
    name,
  );
  try {
    require(file);
  } catch (error) {
    if (!/GLIBC(?:XX)?_[\d.]+' not found/.test(String(error))) throw error;
    mkdirSync(cache, { recursive: true });
    const copy = path.join(cache, name);
    // Another process may have mapped the one that is there.
    const made = `${copy}.${process.pid}`;
    writeFileSync(made, relink(readFileSync(file)));
    renameSync(made, copy);
    const module = { exports: {}, filename: file, id: file, loaded: true };
    process.dlopen(module as unknown as NodeJS.Module, copy);
    require.cache[file] = module as unknown as NodeJS.Module;
  }
}

const PREFIX = '__isoc23_';
const DYNSYM = 11;
const VERSYM = 0x6fff_ffff;
const VERNEED = 0x6fff_fffe;
const WEAK = 2;

interface Version {
  readonly file: string;
  readonly name: string;
  readonly index: number;
  /** Offset of its entry. */
  readonly at: number;
}

/** Binds the symbols of newer versions of libraries to older ones. See the generic ABI of ELF, 64 bits. */
export function relink(library: Buffer): Buffer {
  const bytes = Buffer.from(library);
  const sections = Array.from({ length: bytes.readUInt16LE(60) }, (_, i) => {
    const at = Number(bytes.readBigUInt64LE(40)) + i * bytes.readUInt16LE(58);
    return {
      type: bytes.readUInt32LE(at + 4),
      start: Number(bytes.readBigUInt64LE(at + 24)),
      size: Number(bytes.readBigUInt64LE(at + 32)),
      link: bytes.readUInt32LE(at + 40),
    };
  });
  const find = (type: number) => {
    const section = sections.find((each) => each.type === type);
    if (!section) throw new Error('the addon of Jazzer.js is not as expected');
    return section;
  };
  const [symbols, versions, needed] = [find(DYNSYM), find(VERSYM), find(VERNEED)];
  const strings = sections[symbols.link]?.start ?? 0;
  const read = (offset: number): string =>
    bytes.toString('latin1', strings + offset, bytes.indexOf(0, strings + offset));
  const known = listVersions(bytes, needed.start, read);
  /** The oldest version of the library of a version that is too new. */
  const older = (name: string): [Version, Version] => {
    const newer = known.find((each) => each.name === name);
    const same = known.filter(({ file }) => file === newer?.file);
    const oldest = same.filter((each) => /^GLIBC(?:XX)?_/.test(each.name)).sort(byVersion)[0];
    if (!newer || !oldest) throw new Error(`the addon of Jazzer.js does not need ${name}`);
    return [newer, oldest];
  };
  const [libc, oldLibc] = older('GLIBC_2.38');
  const [streams, oldStreams] = older('GLIBCXX_3.4.32');
  for (let i = 0; i < symbols.size / 24; i++) {
    const [symbol, version] = [symbols.start + 24 * i, versions.start + 2 * i];
    const name = read(bytes.readUInt32LE(symbol));
    const index = bytes.readUInt16LE(version);
    if (index === libc.index && name.startsWith(PREFIX)) {
      bytes.writeUInt32LE(bytes.readUInt32LE(symbol) + PREFIX.length, symbol);
      bytes.writeUInt16LE(oldLibc.index, version);
    } else if (index === streams.index) {
      bytes.writeUInt8((WEAK << 4) | (bytes.readUInt8(symbol + 4) & 15), symbol + 4);
      bytes.writeUInt16LE(oldStreams.index, version);
    }
  }
  for (const [newer, oldest] of [
    [libc, oldLibc],
    [streams, oldStreams],
  ] as const) {
    // The hash and the name: the older version is needed twice.
    bytes.copy(bytes, newer.at, oldest.at, oldest.at + 4);
    bytes.copy(bytes, newer.at + 8, oldest.at + 8, oldest.at + 12);
  }
  return bytes;
}

function listVersions(bytes: Buffer, start: number, read: (offset: number) => string): Version[] {
  const found: Version[] = [];
  for (let need = start; ; need += bytes.readUInt32LE(need + 12)) {
    const file = read(bytes.readUInt32LE(need + 4));
    for (let at = need + bytes.readUInt32LE(need + 8); ; at += bytes.readUInt32LE(at + 12)) {
      found.push({
        file,
        name: read(bytes.readUInt32LE(at + 8)),
        index: bytes.readUInt16LE(at + 6),
        at,
      });
      if (bytes.readUInt32LE(at + 12) === 0) break;
    }
    if (bytes.readUInt32LE(need + 12) === 0) return found;
  }
}

const byVersion = (a: Version, b: Version): number =>
  a.name.localeCompare(b.name, 'en', { numeric: true });
