/**
 * Compiles the kernels, each to a TypeScript module that holds the WebAssembly as base64, which Node,
 * browsers and bundlers load alike: `node assembly/build.mjs`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const here = fileURLToPath(new URL('.', import.meta.url));
const target = new URL('../src/generated/', import.meta.url);
mkdirSync(target, { recursive: true });

for (const name of ['utf8', 'cesu8', 'mutf8', 'mixed']) {
  const { error, binary, stderr } = await compile(name);
  if (error) {
    console.error(String(stderr));
    throw error;
  }
  const base64 = Buffer.from(binary).toString('base64');
  writeFileSync(
    new URL(`${name}.ts`, target),
    `// Generated from assembly/${name}.ts by \`npm run build\`.\nexport const wasm = '${base64}';\n`,
  );
}

async function compile(name) {
  let binary;
  const result = await asc.main(
    [
      `${name}.ts`,
      ...['--baseDir', here, '--outFile', `${name}.wasm`],
      // No garbage collector and no allocator: assembly/memory.ts says where things lie.
      ...[
        '--runtime',
        'stub',
        '--noAssert',
        '-O3',
        '--memoryBase',
        '1024',
        '--initialMemory',
        '13',
      ],
      ...['--enable', 'simd', '--enable', 'bulk-memory', '--enable', 'nontrapping-f2i'],
      ...['--enable', 'sign-extension'],
    ],
    {
      writeFile(file, content) {
        if (file.endsWith('.wasm')) binary = content;
      },
    },
  );
  return { ...result, binary };
}
