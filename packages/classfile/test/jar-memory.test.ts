import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { useFolder } from './folder.js';
import { classOf, zip } from './zip.js';

const file = useFolder();

/** Program that reads an archive, counts its classes and bytes, and prints its peak memory. */
const program = `
import { readJar } from ${JSON.stringify(new URL('../dist/jar.js', import.meta.url).href)};
let classes = 0;
let size = 0;
let peak = 0;
for await (const { bytes } of readJar(process.argv[1])) {
  classes++;
  size += bytes.length;
  // The system's own peak is no use: it begins with that of the process that starts this one.
  if (classes % 100 === 1) peak = Math.max(peak, process.memoryUsage.rss());
}
console.log(JSON.stringify({ classes, size, peak }));
`;

// Later versions of Node let much more garbage lie about than this, whatever the archive is.
const flags = ['--max-semi-space-size=1', '--input-type=module', '-e', program];

const measure = (path: string): { classes: number; size: number; peak: number } =>
  JSON.parse(execFileSync(process.execPath, [...flags, path]).toString());

it('memory stays constant over 20,000 classes, in the file and in a jar that lies in it', {
  tags: ['slow'],
}, () => {
  const items = function* (count: number) {
    for (let i = 0; i < count; i++) {
      // Half of it compresses, so that 200 MiB take 100.
      const bytes = Buffer.alloc(10_000);
      classOf(randomBytes(4992)).copy(bytes);
      yield { name: `x/Class${i}.class`, bytes };
    }
  };
  const { peak: least } = measure(file('one.jar', zip(items(1))));
  const path = file('many.jar', zip(items(20_000)));
  const many = measure(path);
  expect(many).toMatchObject({ classes: 20_000, size: 200_000_000 });
  expect(many.peak - least).toBeLessThan(64 << 20);
  const outer = zip([{ name: 'inner.jar', bytes: zip(items(10_000)), method: 0 }]);
  writeFileSync(path, outer);
  const nested = measure(path);
  expect(nested).toMatchObject({ classes: 10_000, size: 100_000_000 });
  expect(nested.peak - least).toBeLessThan(64 << 20);
});
