/** The process of one operation: gets a heat, sends what came of it, race by race. */
import { compile, sink } from './contestant.mjs';
import { makeItems } from './material.mjs';
import { weighCall } from './memory.mjs';
import { operationFor } from './operations/index.mjs';
import { MALFORMED, makeMalformed } from './operations/replace.mjs';
import { race } from './race.mjs';
import { randomNumbers } from './random.mjs';
import { findDifference } from './reference.mjs';

/** @typedef {import('./contestant.mjs').Contestant} Contestant */
/** @typedef {import('./contestant.mjs').Operation} Operation */
/** @typedef {import('./contestant.mjs').Runner} Runner */
/** @typedef {import('./material.mjs').Item} Item */
/** @typedef {import('./plan.mjs').Heat} Heat */
/** @typedef {{ contestant: Contestant, runner: Runner, scope: Record<string, any> }} Lane */

/** @param {object} message */
const send = (message) => process.send?.(message);

/** @param {Operation} operation @param {Heat} heat */
async function prepare(operation, heat) {
  const lanes = [];
  for (const contestant of operation.contestants) {
    if (!heat.contestants.includes(contestant.name)) continue;
    const label = `${operation.name} ${contestant.name}`;
    try {
      const scope = await contestant.scope(label);
      const runner = compile(label, contestant.body, scope);
      // What chokes on malformed input may keep some of it, and so does not race.
      const probe = compile(`${label}, probe`, contestant.body, await contestant.scope(label));
      send({ contestant: describe(operation, contestant, probe) });
      lanes.push({ contestant, runner, scope });
    } catch (error) {
      send({ skipped: `${label}: ${/** @type {Error} */ (error).message.split('\n')[0]}` });
    }
  }
  return lanes;
}

/** @param {Operation} operation @param {Contestant} contestant @param {Runner} runner */
function describe(operation, { name, group, variant, remark }, { once }) {
  const lax = operation.malformed?.(variant).some((input) => !refuses(once, input));
  return { operation: operation.name, name, group, variant, remark, lax };
}

/** @param {Runner['once']} once @param {unknown} input */
function refuses(once, input) {
  try {
    return once(input) === false;
  } catch {
    return true;
  }
}

/** What is wrong with a contestant's results, or nothing. @param {Lane} lane @param {readonly unknown[]} inputs @param {(i: number) => unknown} expected @param {boolean} broken */
function findFault({ contestant, runner, scope }, inputs, expected, broken) {
  for (const [i, input] of inputs.entries()) {
    let result;
    try {
      result = runner.once(input);
    } catch (error) {
      return `threw ${/** @type {Error} */ (error).name}: ${/** @type {Error} */ (error).message.split('\n')[0]}`;
    }
    const shown = contestant.output ? contestant.output(result, scope) : result;
    const difference = findDifference(broken ? spoil(shown) : shown, expected(i));
    if (difference) return `input ${i} ${difference}`;
  }
  return undefined;
}

/** Another result of the same type. @param {unknown} result */
function spoil(result) {
  if (typeof result === 'string') return `${result.slice(0, -1)}?`;
  return result instanceof Uint8Array ? result.map((byte) => byte ^ 1) : !result;
}

/** @param {Operation} operation @param {Lane} lane @param {readonly Item[]} items */
function inputsFor(operation, { contestant }, items) {
  const { input = (item) => operation.input(item, contestant.variant) } = contestant;
  return items.map(input);
}

/** @param {Heat} heat @param {number} seconds */
async function run(heat, seconds) {
  const start = performance.now();
  const operation = operationFor(heat.operation);
  const lanes = await prepare(operation, heat);
  const random = randomNumbers(1);
  let weights = heat.races.reduce((sum, { weight }) => sum + weight, 0);
  for (const { corpus, size, weight } of heat.races) {
    const left = seconds * 1000 - (performance.now() - start);
    const began = performance.now();
    const items =
      corpus === MALFORMED ? makeMalformed(size, size > 65536 ? 2 : 4) : makeItems(corpus, size);
    const bytes = items.reduce((sum, item) => sum + bytesOf(item, corpus), 0) / items.length;
    const fit = lanes.filter(
      ({ contestant }) =>
        size <= (contestant.largest ?? Infinity) &&
        !(corpus === MALFORMED && contestant.input) &&
        items.every(({ text }) => contestant.fits?.(text) ?? true),
    );
    const racing = [];
    for (const lane of fit) {
      const { contestant } = lane;
      const inputs = inputsFor(operation, lane, items);
      const { expected = (item) => operation.expected(item, contestant.variant) } = contestant;
      const wrong = findFault(
        lane,
        inputs,
        (i) => expected(/** @type {Item} */ (items[i])),
        contestant.name === heat.broken,
      );
      const cell = { operation: operation.name, corpus, size, bytes, contestant: contestant.name };
      if (wrong) send({ cell: { ...cell, wrong } });
      else racing.push({ lane, cell, inputs });
    }
    const budget = (left * weight) / weights - (performance.now() - began);
    weights -= weight;
    const times = race(
      racing.map(({ lane, inputs }) => ({ runner: lane.runner, inputs })),
      Math.max(budget, racing.length * 0.3),
      random,
    );
    for (const [i, { cell }] of racing.entries()) send({ cell: { ...cell, ...times[i] } });
    if (isWeighed(heat, corpus, size)) {
      for (const { lane, cell, inputs } of racing) {
        const { operation, contestant, size } = cell;
        send({
          memory: { operation, contestant, corpus, size, ...weighCall(lane.runner, inputs) },
        });
      }
    }
    send({ progress: 1 });
  }
  send({ sink: sink.total });
}

/** Throughput counts the UTF-8 of the text, which is the same for all variants. @param {Item} item @param {string} corpus */
const bytesOf = (item, corpus) =>
  corpus === MALFORMED ? item.text.length : item.bytes('utf-8').length;

/** Memory is weighed once: on the largest common text of the last corpus but the malformed one. @param {Heat} heat @param {string} corpus @param {number} size */
function isWeighed({ races }, corpus, size) {
  const usual = races.filter((race) => race.corpus !== MALFORMED && race.size <= 65536);
  const last = usual.at(-1);
  return last?.corpus === corpus && last.size === size;
}

process.once('message', async (/** @type {any} */ { heat, seconds }) => {
  await run(heat, seconds);
  process.disconnect();
});
