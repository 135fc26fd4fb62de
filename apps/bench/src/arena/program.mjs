/** Runs a heat in Node, Deno or Bun: `node program.mjs TASK`. Each message is a line of stdout. */
import { run } from './run.mjs';

const [, , task = ''] = process.argv;
await run(JSON.parse(task), (message) => console.log(JSON.stringify(message)));
