/** DEX files, as far as their strings go. */
import { encodeDexString, readDexString, type TextFrame } from '@utf8/mutf8/framing';

const HEADER = 0x70;
const MAP_OFF = 0x34;
const STRING_IDS_SIZE = 0x38;
const STRING_IDS_OFF = 0x3c;

/** A file of one string, and of nothing else: its map is empty. */
export function writeDex(text: string): Uint8Array {
  const item = encodeDexString(text);
  const file = Buffer.alloc(HEADER + 8 + item.length);
  file.write('dex\n035\0', 'latin1');
  file.writeUInt32LE(file.length, 0x20);
  file.writeUInt32LE(HEADER, 0x24);
  file.writeUInt32LE(0x1234_5678, 0x28);
  file.writeUInt32LE(HEADER + 4, MAP_OFF);
  file.writeUInt32LE(1, STRING_IDS_SIZE);
  file.writeUInt32LE(HEADER, STRING_IDS_OFF);
  file.writeUInt32LE(HEADER + 8, HEADER);
  file.set(item, HEADER + 8);
  return file;
}

/** All strings of a file, and where their items end. */
export function readDex(file: Uint8Array): TextFrame[] {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const ids = view.getUint32(STRING_IDS_OFF, true);
  return Array.from({ length: view.getUint32(STRING_IDS_SIZE, true) }, (_, i) =>
    readDexString(file, view.getUint32(ids + 4 * i, true)),
  );
}
