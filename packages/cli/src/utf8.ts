#!/usr/bin/env node
import { run } from './command.js';

// Whoever writes learns of an error by the write's callback; without a listener it would be thrown too.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

// Everything written has been waited for. What is not waited for is an input that nobody reads on.
process.exit(await run(process.argv.slice(2)));
