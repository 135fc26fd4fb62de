/** Which ways are taken, by the times that a clock tells. */
import { afterEach, describe, expect, it, vi } from 'vitest';

/** Milliseconds of each sample, in the order in which they are measured. */
interface Times {
  readonly fill: number;
  readonly write: number;
  readonly others: number;
  readonly ones: number;
  readonly valid: number;
  readonly threes: number;
  readonly sliced: number;
  readonly twos: number;
}

const slow: Times = {
  fill: 1,
  write: 4,
  others: 7,
  ones: 2.8,
  valid: 1.4,
  threes: 2.6,
  sliced: 1,
  twos: 1,
};

afterEach(() => vi.unstubAllGlobals());

/** Decides where each sample takes a time: the first rounds take longer, as code that is not compiled yet. */
async function decideBy(times: Times) {
  vi.resetModules();
  const samples = Object.values(times) as number[];
  let calls = 0;
  const now = (): number => {
    const [sample, isEnd] = [calls >> 1, calls++ % 2 === 1];
    const round = Math.floor(sample / samples.length);
    return isEnd ? (samples[sample % samples.length] as number) * (round < 3 ? 9 : 1) : 0;
  };
  const { decide, ways } = await import('../src/ways.js');
  vi.stubGlobal('performance', { now });
  decide();
  return ways;
}

const none = {
  copies: false,
  encodesOthers: false,
  encodesLatin1: false,
  validates: false,
  decodes: false,
  slices: false,
};

describe('useWays', () => {
  const native = {
    decodes: true,
    validates: true,
    encodesLatin1: true,
    encodesOthers: true,
    slices: false,
  };

  it.each([
    ['fastest', { ...none, isDecided: false, webassembly: true, platform: true }],
    ['platform', { ...native, isDecided: true, webassembly: true, platform: true }],
    ['webassembly', { ...none, isDecided: true, webassembly: true, platform: false }],
    ['javascript', { ...none, isDecided: true, webassembly: false, platform: false }],
  ] as const)('takes the way %s, and returns the one before', async (way, taken) => {
    vi.resetModules();
    const { useWays, ways } = await import('../src/ways.js');
    expect(useWays('platform')).toBe('fastest');
    expect(useWays(way)).toBe('platform');
    expect(ways).toEqual({ ...taken, copies: true });
  });
});

describe('the ways of the platform', () => {
  it('are not taken where they are as slow as the bounds', async () => {
    expect(await decideBy(slow)).toMatchObject(none);
  });

  it.each([
    ['write', 3.9, { copies: true }],
    ['others', 6.9, { encodesOthers: true }],
    ['ones', 2.7, { encodesLatin1: true }],
    ['valid', 1.3, { validates: true }],
    ['threes', 2.5, { decodes: true }],
    ['sliced', 0.9, {}],
  ])('are taken where they are faster: %s in %s', async (name, time, taken) => {
    expect(await decideBy({ ...slow, [name]: time })).toMatchObject({ ...none, ...taken });
  });

  it('slice only where they decode', async () => {
    const { decodes, slices } = await decideBy({ ...slow, threes: 2.5, sliced: 0.9 });
    expect([decodes, slices]).toEqual([true, true]);
  });

  it('are not taken by a clock that stands still', async () => {
    const times = Object.keys(slow).map((name) => [name, 0]);
    expect(await decideBy(Object.fromEntries(times))).toMatchObject({ ...none, isDecided: true });
  });
});
