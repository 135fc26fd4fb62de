/** Archives that state large sizes. A process of its own, whose heap has the allowed size, measures memory. */
import { execFileSync } from 'node:child_process';
import { type JarError, type Rewrite, rewriteJar } from '@utf8/classfile/jar';
import { describe, expect, it } from 'vitest';
import { useFolder } from './folder.js';
import { readAll } from './reading.js';
import { classOf, zip } from './zip.js';

const file = useFolder();

/** Reads an archive in a way, and says what came of it and how much memory that took at most. */
const program = `
import { readJar, rewriteJar } from ${JSON.stringify(new URL('../dist/jar.js', import.meta.url).href)};
const [way, path] = process.argv.slice(1);
let [told, classes, peak] = [0, 0, 0];
const measure = () => { peak = Math.max(peak, process.memoryUsage.rss()); };
const timer = setInterval(measure, 5);
let reason;
try {
  if (way === 'rewrite') {
    const rewrite = ({ bytes }) => Buffer.concat([bytes, Buffer.of(1)]);
    ({ changed: classes } = await rewriteJar(path, path + '.out', rewrite, { signatures: 'drop' }));
  } else {
    const count = () => { told++; };
    const lenient = way === 'lenient' ? count : undefined;
    for await (const _ of readJar(path, { onError: count, onSkip: count, lenient })) classes++;
  }
} catch (error) {
  if (error.code !== 'ERR_JAR') throw error;
  reason = error.reason;
}
measure();
clearInterval(timer);
console.log(JSON.stringify({ classes, told: told > 0, reason, peak }));
`;

interface Measured {
  readonly classes: number;
  readonly told: boolean;
  readonly reason?: string;
  readonly peak: number;
}

function measure(way: string, path: string, heap = 64): Measured {
  const flags = [`--max-old-space-size=${heap}`, '--max-semi-space-size=1', '--input-type=module'];
  const options = [...flags, '-e', program, way, path];
  return JSON.parse(execFileSync(process.execPath, options).toString());
}

const COUNT = 60_000;

/** As many entries as fit: no bytes, names of a byte. */
const many = (count = COUNT): Buffer =>
  zip(
    (function* () {
      yield { name: 'A.class', bytes: classOf('a') };
      for (let i = 0; i < count; i++) yield { name: 'a', method: 0 };
    })(),
    { isLarge: true },
  );

/** Headers of entries whose sizes should come after them. */
function endless(): Buffer {
  const header = Buffer.alloc(31);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(8, 6);
  header.writeUInt16LE(8, 8);
  header.writeUInt16LE(1, 26);
  header.write('a', 30);
  return Buffer.concat(Array.from({ length: COUNT }, () => header));
}

/** Entries that all are one and the same nested archive. */
function quine(count = 5000): Buffer {
  let bytes: Uint8Array = zip([{ name: 'A.class', bytes: classOf('a') }]);
  for (let depth = 0; depth < 3; depth++) {
    const first = { name: '0.jar', bytes, method: 0 };
    const again = {
      ...first,
      data: new Uint8Array(),
      claims: { offset: 0, compressed: bytes.length },
    };
    bytes = zip([first, ...Array.from({ length: count }, () => again)]);
  }
  return Buffer.from(bytes);
}

describe('memory is bounded', { tags: ['slow'] }, () => {
  const archives: [string, () => Buffer][] = [
    ['many entries', () => many()],
    ['many entries without a directory', () => many().subarray(0, -200)],
    ['entries without an end', endless],
    ['one archive in it thousands of times', () => quine()],
    [
      'a directory of extra fields',
      () =>
        zip(
          Array.from({ length: 300 }, (_, i) => ({
            name: `${i}.class`,
            bytes: classOf('x'),
            claims: { extra: Buffer.alloc(60_000) },
          })),
        ),
    ],
  ];

  it.each(archives)('%s', (name, make) => {
    const bytes = make();
    const least = measure('strict', file('empty.jar', zip([]))).peak;
    const path = file(`${name}.jar`, bytes);
    for (const way of ['strict', 'lenient', 'rewrite']) {
      const { peak } = measure(way, path);
      // For small input, Node's uncollected garbage dominates.
      expect(peak - least, way).toBeLessThan(Math.max(64 * bytes.length, 64 << 20));
    }
  });
});

it('many entries are read, and one archive in it many times is refused', async () => {
  const path = file('many.jar', many(500));
  const refuse = (error: JarError): never => {
    throw error;
  };
  for (const lenient of [undefined, refuse]) {
    const { classes, errors } = await readAll(path, { lenient });
    expect([[...classes.keys()], errors]).toEqual([['A.class'], []]);
  }
  const rewrite: Rewrite = ({ bytes }) => Buffer.concat([bytes, Buffer.of(1)]);
  expect(await rewriteJar(path, file('out.jar'), rewrite)).toMatchObject({ changed: 1 });
  const again = file('quine.jar', quine(50));
  await expect(readAll(again)).rejects.toMatchObject({ reason: 'overlap' });
  await expect(rewriteJar(again, file('out.jar'), rewrite)).rejects.toMatchObject({
    reason: 'overlap',
  });
});
