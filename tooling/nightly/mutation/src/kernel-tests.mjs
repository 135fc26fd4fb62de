/** A process that runs tests of kernels on request, so that an endless test can be killed. */
import { createVitest } from 'vitest/node';

const [, , config] = process.argv;
const vitest = await createVitest('test', {
  config,
  watch: false,
  bail: 1,
  pool: 'threads',
  maxWorkers: 1,
  reporters: [{}],
  onConsoleLog: () => false,
});

process.on('message', async ({ files, names }) => {
  vitest.state.filesMap.clear();
  for (const project of vitest.projects) {
    project.config.testNamePattern = names ? new RegExp(names) : undefined;
  }
  await vitest.start(files);
  const states = vitest.state.getFiles().map(({ result }) => result?.state);
  // A file none of whose tests has such a name is skipped.
  const isPassed =
    states.includes('pass') &&
    states.every((state) => state === 'pass' || state === 'skip') &&
    vitest.state.errorsSet.size === 0;
  vitest.state.errorsSet.clear();
  process.send({ isPassed });
});
process.on('disconnect', () => process.exit());
process.send({ isReady: true });
