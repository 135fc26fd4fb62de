#!/usr/bin/env node
// Any Node with modules can read this file: modules that need a newer one are imported after the check.
import { version } from '../../package.json';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const args = process.argv.slice(2);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `utf8: requires Node 20.19 or later; this is Node ${process.versions.node}\n`,
  );
  process.exitCode = 2;
} else if (args[0] === '--version' || args[0] === '-V') {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    // A reader that closes the pipe is not a failure.
    if (code === 'EPIPE') return;
    process.stderr.write(`utf8: stdout: cannot be written (${code})\n`);
    process.exitCode = 3;
  });
  process.stdout.write(`${version}\n`);
} else {
  import('./dispatch.js')
    .then(({ run }) => run(args))
    // Everything written has been waited for. What remains is an input that is not read any further.
    .then((exitCode) => process.exit(exitCode));
}
