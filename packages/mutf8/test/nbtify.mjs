// Reads NBT from the standard input with nbtify, and writes its names as JSON, and then all of it again.
import { readFileSync } from 'node:fs';
import { read, write } from 'nbtify';

const nbt = await read(readFileSync(0), { endian: 'big' });
const names = [nbt.rootName, ...Object.keys(nbt.data)];
console.log(JSON.stringify(names));
console.log(Buffer.from(await write(nbt)).toString('hex'));
