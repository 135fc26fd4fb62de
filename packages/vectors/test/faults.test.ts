/** The probe finds the seeded deviation of each faulty reader. */
import { describe, expect, it } from 'vitest';
import { choose } from '../../../tooling/tiers/tier.js';
import { fit } from '../src/probe/fit.js';
import { probe } from '../src/probe/index.js';
import { ff, textInputs, trail, vectorInputs } from '../src/probe/input.js';
import { findMode } from '../src/probe/mode.js';
import { quirks } from '../src/probe/quirk.js';
import { forEach, Subject } from '../src/probe/subject.js';
import { type Faulty, faulty } from './faulty.js';

describe('the probe finds a reader that', () => {
  /** Readers that a quirk of UTF-8 explains. */
  const quirky = faulty.filter(({ does }) => quirks.some(({ words }) => does.test(words)));
  const quick = faulty.filter((each) => !each.isSlow && !quirky.includes(each));
  const chosen = choose(quick, 2);

  const isFound = async (_: string, fault: Faulty): Promise<void> => {
    const { create, createParts, kind, does, isDeep = false, isJoined = false } = fault;
    const readParts = createParts?.();
    const report = await probe(create(), {
      isThorough: isDeep,
      join: isJoined,
      ...(readParts && { readParts }),
    });
    const found = report.deviations.map((each) => `${each.kind}: ${each.does} (${each.count})`);
    expect(found.join('\n')).toMatch(does);
    expect(report.deviations.find((each) => does.test(each.does))?.kind).toBe(kind);
    const isCached = report.deviations.some((each) => each.kind === 'answers from a cache');
    expect(isCached).toBe(kind === 'answers from a cache');
    expect(report.isExact).toBe(false);
    expect(report.variant).toBe(fault.variant ?? 'utf-8');
  };
  const list = (faults: readonly Faulty[]): [string, Faulty][] =>
    faults.map((each) => [each.fault, each]);

  it.each(list(quirky))('%s, by a quirk of UTF-8', async (_, { create, kind, does }) => {
    const subject = new Subject(create());
    const observed = [...vectorInputs, ...textInputs];
    const answers = await forEach(observed, 1, ({ bytes }) => subject.read(bytes));
    const [first, second] = [await subject.read(ff), await subject.read(trail)];
    const { model } = fit(
      observed.map(({ bytes }, i) => ({ bytes, text: answers[i]?.text })),
      findMode(first.text, second.text),
      ['utf-8'],
    );
    const found = model.options.quirks.find(({ words }) => does.test(words));
    expect(found?.kind).toBe(kind);
  });

  it.each(list(chosen))('%s', isFound);
  it.each(
    list(
      choose(
        faulty.filter((each) => !chosen.includes(each)),
        10,
      ),
    ),
  )('%s, among the others', { tags: ['slow'] }, isFound);

  it('the faulty readers cover at least twenty classes', () => {
    expect(faulty.length).toBeGreaterThanOrEqual(20);
  });
});
