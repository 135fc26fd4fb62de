// Writes all generated modules: node tooling/compiler/generate.mjs [--check]
import { generate } from './compiler.mjs';

await generate(process.argv.includes('--check'));
