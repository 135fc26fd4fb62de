/**
 * Compares every row of the table of the README with the recorded answers of the consumer itself.
 * `tooling/oracles/jvm` asks again, and records.
 */
import { describe } from 'vitest';
import { consumers } from '../../../tooling/oracles/jvm/src/consumers.js';
import { readAnswers, recordedInputs, replay } from '../../../tooling/oracles/jvm/src/recorded.js';
import { testConsumer } from '../../../tooling/oracles/jvm/src/suite.js';

const answers = readAnswers();

describe.each(consumers)('$name', (consumer) => {
  testConsumer(consumer, replay(consumer.name, answers), recordedInputs);
});
