/** The parts of files that their strings depend on, found without the readers that are tested. */
import { listChunks } from './tricks.js';

/** Offsets of the first byte and of the end. */
export type Range = readonly [start: number, end: number];

/** A string, or a use of one. */
export interface Found {
  readonly key: string;
  /** Offset of the index. */
  readonly at: number | undefined;
  readonly string?: {
    readonly pool: number;
    readonly index: number;
    readonly offset: number;
    readonly length: number;
  };
}

interface Chunk extends ReturnType<typeof Object> {
  readonly type: number;
  readonly start: number;
  readonly body: number;
  readonly end: number;
}

/** Returns the ranges that a string or a use in resources needs. */
export function listResourceParts(file: Buffer): (found: Found) => readonly Range[] {
  const isTable = file.readUInt16LE(0) === 2;
  const top = listChunks(file, isTable ? 12 : 8) as readonly Chunk[];
  const all = top.flatMap((chunk) =>
    chunk.type === 0x200 ? [chunk, ...listChunks(file, chunk.body, chunk.end)] : [chunk],
  ) as readonly Chunk[];
  const pools = all.filter(({ type }) => type === 1);
  return ({ at, string }) => {
    const ranges: Range[] = [];
    const pool = string && pools[string.pool];
    if (pool && string) {
      const entry = pool.body + 4 * string.index;
      // Lengths precede the text, and a terminator follows it.
      const text: Range = [string.offset - 4, string.offset + string.length + 2];
      ranges.push([pool.start, pool.body], [entry, entry + 4], text);
      const around = all.find(
        ({ type, start, end }) => type === 0x200 && pool.start > start && pool.start < end,
      );
      if (around) ranges.push([around.start, around.start + 8]);
    }
    if (at === undefined) return ranges;
    ranges.push([at, at + 4]);
    for (const chunk of all) {
      if (at < chunk.start || at >= chunk.end || chunk.type === 1) continue;
      if (chunk.type === 0x200) ranges.push([chunk.start, chunk.body]);
      else if (chunk.type === 0x201) ranges.push(...listEntryParts(file, chunk, at));
      else ranges.push(...listNodeParts(chunk, at));
    }
    const styled = all.find(({ type, start, end }) => type === 1 && at >= start && at < end);
    // The tags of styled strings are in no parts of a fixed size.
    if (styled) ranges.push([styled.start, styled.end]);
    return ranges;
  };
}

/** The header of a node, and for a value its size and its type. */
function listNodeParts({ type, start, body }: Chunk, at: number): Range[] {
  const fixed = type === 0x102 ? 20 : 0;
  return [
    [start, body + fixed],
    [at - 4, at + 4],
  ];
}

/** The header of the entries, and the entry with its offset. */
function listEntryParts(file: Buffer, { start, body }: Chunk, at: number): Range[] {
  const count = file.readUInt32LE(start + 12);
  const first = start + file.readUInt32LE(start + 16);
  let best: [place: number, offset: number] = [body, 0];
  for (let i = 0; i < count; i++) {
    const offset = file.readUInt32LE(body + 4 * i);
    if (offset === 0xffff_ffff || first + offset > at || offset < best[1]) continue;
    best = [body + 4 * i, offset];
  }
  const entry = first + best[1];
  return [
    [start, body],
    [best[0], best[0] + 4],
    [entry, entry + 16],
    // The name, the size and the type of an item.
    [at - 8, at + 4],
  ];
}

/** Returns the ranges that a string or a use in a DEX file needs. */
export function listDexParts(file: Buffer): (found: Found) => readonly Range[] {
  const u4 = (at: number): number => file.readUInt32LE(at);
  const section = (at: number): Range => [u4(at + 4), u4(at)];
  const [strings] = section(0x38);
  const [classes, classCount] = section(0x60);
  /** Parts by their start: the starts of the parts that they depend on. */
  const parents = new Map<number, number[]>();
  const add = (start: number, parent: number): void => {
    if (start !== 0) parents.set(start, [...(parents.get(start) ?? []), parent]);
  };
  for (let i = 0; i < classCount; i++) {
    const item = classes + 32 * i;
    parents.set(item, []);
    add(u4(item + 20), item);
    add(u4(item + 24), item);
    add(u4(item + 28), item);
    // The number of static fields.
    if (u4(item + 28) !== 0) add(u4(item + 28), u4(item + 24));
    if (u4(item + 20) !== 0) addAnnotations(file, u4(item + 20), add);
    if (u4(item + 24) !== 0) addCode(file, u4(item + 24), add);
  }
  addCallSites(file, add);
  const starts = [...parents.keys(), classes + 32 * classCount, u4(0x34), file.length].sort(
    (a, b) => a - b,
  );
  const ends = new Map(starts.map((start, i) => [start, starts[i + 1] ?? file.length]));
  const climb = (start: number, into: Set<number>): Set<number> => {
    if (into.has(start)) return into;
    into.add(start);
    for (const parent of parents.get(start) ?? []) climb(parent, into);
    return into;
  };
  return ({ at, string }) => {
    const header: Range = [0, 0x70];
    const ranges: Range[] = [header];
    if (string) {
      const entry = strings + 4 * string.index;
      ranges.push([entry, entry + 4], [string.offset - 5, string.offset + string.length + 1]);
    }
    if (at === undefined) return ranges;
    ranges.push([at, at + 4]);
    const start = starts.filter((each) => each <= at).at(-1);
    if (start === undefined || !parents.has(start)) return ranges;
    for (const each of climb(start, new Set())) ranges.push([each, ends.get(each) as number]);
    return ranges;
  };
}

type Add = (start: number, parent: number) => void;

function addAnnotations(file: Buffer, directory: number, add: Add): void {
  const u4 = (at: number): number => file.readUInt32LE(at);
  const addSet = (set: number, parent: number): void => {
    if (set === 0) return;
    add(set, parent);
    for (let i = 0; i < u4(set); i++) add(u4(set + 4 + 4 * i), set);
  };
  addSet(u4(directory), directory);
  const members = u4(directory + 4) + u4(directory + 8);
  for (let i = 0; i < members; i++) addSet(u4(directory + 16 + 8 * i + 4), directory);
  for (let i = 0; i < u4(directory + 12); i++) {
    const list = u4(directory + 16 + 8 * (members + i) + 4);
    add(list, directory);
    for (let k = 0; k < u4(list); k++) addSet(u4(list + 4 + 4 * k), list);
  }
}

function addCode(file: Buffer, data: number, add: Add): void {
  let at = data;
  const uleb = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = file[at++] as number;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  const [statics = 0, instances = 0, direct = 0, virtual = 0] = [uleb(), uleb(), uleb(), uleb()];
  for (let i = 0; i < 2 * (statics + instances); i++) uleb();
  for (let i = 0; i < direct + virtual; i++) {
    uleb();
    uleb();
    const code = uleb();
    if (code === 0) continue;
    add(code, data);
    add(file.readUInt32LE(code + 8), code);
  }
}

function addCallSites(file: Buffer, add: Add): void {
  const map = file.readUInt32LE(0x34);
  for (let i = 0; i < file.readUInt32LE(map); i++) {
    const item = map + 4 + 12 * i;
    const start = file.readUInt32LE(item + 8);
    add(map, map);
    if (file.readUInt16LE(item) !== 7) continue;
    for (let k = 0; k < file.readUInt32LE(item + 4); k++) {
      add(start + 4 * k, map);
      add(file.readUInt32LE(start + 4 * k), start + 4 * k);
    }
  }
}
