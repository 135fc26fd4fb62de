/** The derived tables of every codec, as snapshots that a reader can hold against the standard. */
import * as cesu8 from '@utf8/cesu8';
import * as lenient from '@utf8/cesu8/lenient';
import * as mixed from '@utf8/cesu8/mixed';
import * as mutf8 from '@utf8/mutf8';
import * as dataInput from '@utf8/mutf8/data-input';
import * as rfc2279 from '@utf8/rfc2279';
import * as strict from '@utf8/strict';
import { expect, it } from 'vitest';
import { printTables } from '../src/print.js';

const codecs = {
  strict,
  cesu8,
  'cesu8-lenient': lenient,
  'cesu8-mixed': mixed,
  mutf8,
  'mutf8-data-input': dataInput,
  rfc2279,
};

it.each(Object.entries(codecs))('tables of %s', async (name, codec) => {
  const printed = printTables(codec.name, codec.grammar);
  await expect(printed).toMatchFileSnapshot(`../snapshots/tables/${name}.txt`);
});
