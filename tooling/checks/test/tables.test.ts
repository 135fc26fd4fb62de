/** Snapshots of the data derived from each grammar, which readers can compare with the standard. */
import { expect, it } from 'vitest';
import { printByteMap, printTables } from '../src/print.js';
import { codecs } from '../src/variants.js';

it.each(codecs)('tables of %s', async (name, codec) => {
  const printed = printTables(codec.name, codec.grammar);
  await expect(printed).toMatchFileSnapshot(`../snapshots/tables/${name}.txt`);
});

it.each(codecs)('byte map of %s', async (name, codec) => {
  const printed = printByteMap(codec.name, codec.grammar);
  await expect(printed).toMatchFileSnapshot(`../snapshots/bytes/${name}.txt`);
});
