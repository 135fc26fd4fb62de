/**
 * Code that runs in every runtime: receives a heat, and sends the results race by race. Neither this module
 * nor its imports need `node:`.
 */
import { compile, sink } from './contestant.mjs';
import { importCopy } from './copies.mjs';
import { makeItems } from './material.mjs';
import { weighCall } from './memory.mjs';
import { operationFor } from './operations/index.mjs';
import { MALFORMED, makeMalformed } from './operations/replace.mjs';
import { raceUntilQuiet } from './quiet.mjs';
import { race } from './race.mjs';
import { randomNumbers } from './random.mjs';
import { findDifference } from './reference.mjs';
import { ReferenceLoop } from './reference-loop.mjs';

/** @typedef {import('./contestant.mjs').Contestant} Contestant */
/** @typedef {import('./contestant.mjs').Edition} Edition */
/** @typedef {import('./contestant.mjs').Operation} Operation */
/** @typedef {import('./contestant.mjs').Runner} Runner */
/** @typedef {import('./material.mjs').Item} Item */
/** @typedef {import('../plan.mjs').Heat} Heat */
/** @typedef {(message: import('../heats.mjs').Message) => void | Promise<unknown>} Send */

/**
 * @typedef {object} Lane
 * @property {Contestant} contestant
 * @property {Edition | undefined} edition - Where several of them race.
 * @property {Runner} runner
 * @property {Record<string, any>} scope
 */

/** @typedef {{ lane: Lane, cell: import('../heats.mjs').Place, inputs: readonly unknown[] }} Racer */

/** @type {Edition} */
const USUAL = { name: '', folder: 'now' };

/** All races are repeated for this share of the time. */
const REPEATS_SHARE = 0.25;

/** @param {Operation} operation @param {Heat} heat @param {Send} send */
async function prepare(operation, heat, send) {
  const lanes = [];
  for (const contestant of operation.contestants) {
    if (!heat.contestants.includes(contestant.name)) continue;
    for (const edition of heat.editions ?? [undefined]) {
      const label = [operation.name, contestant.name, edition?.name].filter(Boolean).join(' ');
      const makeScope = async (/** @type {string} */ copy) =>
        contestant.scope(await importCopy(contestant.modules ?? [], edition ?? USUAL, copy));
      try {
        const scope = await makeScope(label);
        const runner = compile(label, contestant.body, scope);
        // A contestant that fails on malformed input may retain some of it, so a copy of it is tested.
        const probe = compile(
          `${label}, probe`,
          contestant.body,
          await makeScope(`${label}, probe`),
        );
        await send({ contestant: describe(operation, contestant, probe) });
        lanes.push({ contestant, edition, runner, scope });
      } catch (error) {
        await send({ skipped: `${label}: ${firstLine(error)}` });
      }
    }
  }
  return lanes;
}

const firstLine = (/** @type {unknown} */ error) =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

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

/**
 * Describes the errors in a contestant's results; undefined without errors.
 *
 * @param {Lane} lane
 * @param {readonly unknown[]} inputs
 * @param {(i: number) => unknown} expected
 * @param {boolean} broken
 */
function findFault({ contestant, runner, scope }, inputs, expected, broken) {
  for (const [i, input] of inputs.entries()) {
    let result;
    try {
      result = runner.once(input);
    } catch (error) {
      return `threw ${/** @type {Error} */ (error).name}: ${firstLine(error)}`;
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

/**
 * Those that gave the right results; the others are sent as wrong.
 *
 * @param {Operation} operation @param {Heat} heat @param {readonly Lane[]} lanes
 * @param {import('../plan.mjs').Race} race @param {Send} send
 */
async function line(operation, heat, lanes, { corpus, size }, send) {
  const items =
    corpus === MALFORMED ? makeMalformed(size, size > 65536 ? 2 : 4) : makeItems(corpus, size);
  const bytes = items.reduce((sum, item) => sum + bytesOf(item, corpus), 0) / items.length;
  /** @type {Racer[]} */
  const racers = [];
  for (const lane of lanes) {
    const { contestant, edition } = lane;
    const isFit =
      size <= (contestant.largest ?? Infinity) &&
      !(corpus === MALFORMED && contestant.input) &&
      items.every(({ text }) => contestant.fits?.(text) ?? true);
    if (!isFit) continue;
    const inputs = inputsFor(operation, lane, items);
    const { expected = (item) => operation.expected(item, contestant.variant) } = contestant;
    const wrong = findFault(
      lane,
      inputs,
      (i) => expected(/** @type {Item} */ (items[i])),
      contestant.name === heat.broken,
    );
    const cell = {
      operation: operation.name,
      corpus,
      size,
      bytes,
      contestant: contestant.name,
      ...(edition ? { edition: edition.name } : {}),
    };
    if (wrong) await send({ cell: { ...cell, wrong } });
    else racers.push({ lane, cell, inputs });
  }
  return racers;
}

/** Editions race against each other, one contestant after the other: all the others would come between. @param {readonly Racer[]} racers @param {Heat} heat */
function groupsOf(racers, { editions }) {
  if (!editions) return [racers];
  const names = new Set(racers.map(({ cell }) => cell.contestant));
  return Array.from(names, (name) => racers.filter(({ cell }) => cell.contestant === name));
}

/** @param {{ heat: Heat, seconds: number }} task @param {Send} send */
export async function run({ heat, seconds }, send) {
  const start = performance.now();
  await send({ agent: globalThis.navigator?.userAgent ?? '' });
  const operation = operationFor(heat.operation);
  const unknown = heat.contestants.find(
    (name) => !operation.contestants.some((one) => one.name === name),
  );
  if (unknown) throw new Error(`there is no contestant ${unknown}`);
  const lanes = await prepare(operation, heat, send);
  const random = randomNumbers(1);
  const loop = new ReferenceLoop();
  // A repetition uses the time of its first race; time left over from repetitions is not used.
  const reserve = { milliseconds: heat.isRepeated ? seconds * 1000 * REPEATS_SHARE : 0 };
  let repeated = 0;
  let weights = heat.races.reduce((sum, { weight }) => sum + weight, 0);
  for (const each of heat.races) {
    const began = performance.now();
    const left = seconds * 1000 - (began - start - repeated);
    const racers = await line(operation, heat, lanes, each, send);
    const groups = groupsOf(racers, heat);
    const budget = (left * each.weight) / weights - (performance.now() - began);
    weights -= each.weight;
    for (const group of groups) {
      if (group.length === 0) continue;
      const before = reserve.milliseconds;
      const share = Math.max((budget * group.length) / racers.length, group.length * 0.3);
      const lanes = group.map(({ lane, inputs }) => ({ runner: lane.runner, inputs }));
      const times = raceUntilQuiet({
        race: () => race(lanes, share, random),
        isDisturbed: () => loop.isDisturbed(),
        // Peers are slow, and so have few rounds: they are marked, but nothing is repeated for them.
        isWatched: (i) => group[i]?.lane.contestant.group !== 'peer',
        areEditions: heat.editions !== undefined,
        cost: share,
        reserve,
      });
      repeated += before - reserve.milliseconds;
      for (const [i, { cell }] of group.entries()) await send({ cell: { ...cell, ...times[i] } });
    }
    if (!heat.editions && isWeighed(heat, each.corpus, each.size)) {
      for (const { lane, cell, inputs } of racers) {
        const weight = weighCall(lane.runner, inputs);
        const { operation, contestant, corpus, size } = cell;
        if (weight) await send({ memory: { operation, contestant, corpus, size, ...weight } });
      }
    }
    await send({ progress: 1 });
  }
  await send({ reference: loop.samples, sink: sink.total });
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
