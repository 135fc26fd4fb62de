/** A stream of objects that Java wrote: the same strings as Java reads. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { read } from './build.js';
import { describeObjects, recordedStream } from './recorded.js';

it('the strings of a stream are those that ObjectInputStream meets', async () => {
  const strings = await read(readFileSync(`${recordedStream}.ser`));
  expect(describeObjects(strings)).toBe(readFileSync(`${recordedStream}.txt`, 'utf8'));
  const paths = strings.map(({ path }) => path);
  for (const path of ['[0].base', '[0].한글𝒳', '[0].list[0]', '[0].data[1]', 'Streams$Sub.text']) {
    expect(paths).toContain(path);
  }
});
