/**
 * Compiles the kernels, each to a TypeScript module that holds the WebAssembly as base64, which Node,
 * browsers and bundlers load alike: `node assembly/build.mjs`, or with `--check` to be told where a
 * module is not what this would write.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const here = fileURLToPath(new URL('.', import.meta.url));
const generated = new URL('../src/generated/', import.meta.url);
const check = process.argv.includes('--check');
mkdirSync(generated, { recursive: true });

for (const name of ['utf8', 'cesu8', 'mutf8', 'mixed']) {
  const base64 = Buffer.from(await compile(name)).toString('base64');
  const text = `// Generated from assembly/${name}.ts by \`npm run build\`.\nexport const wasm = '${base64}';\n`;
  const file = new URL(`${name}.ts`, generated);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (check) process.exitCode = 1;
  else writeFileSync(file, text);
  console.log(`${check ? 'differs' : 'written'}: src/generated/${name}.ts`);
}

async function compile(name) {
  let binary;
  const { error, stderr } = await asc.main(
    [
      `${name}.ts`,
      ...['--baseDir', here, '--outFile', `${name}.wasm`],
      // No garbage collector and no allocator: assembly/memory.ts says where things lie.
      ...['--runtime', 'stub', '--memoryBase', '1024', '--initialMemory', '13'],
      ...['-O3', '--noAssert'],
      ...['--enable', 'simd', '--enable', 'bulk-memory', '--enable', 'nontrapping-f2i'],
      ...['--enable', 'sign-extension'],
    ],
    {
      writeFile(file, content) {
        if (file.endsWith('.wasm')) binary = content;
      },
    },
  );
  if (error) throw new Error(`${name}.ts does not compile:\n${stderr}`, { cause: error });
  return binary;
}
