/** Inputs that made a target of the fuzzer fail once, and some of its corpora. Here, since the fuzzer runs at night. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { check } from '../../../nightly/fuzz/src/check.js';
import { readCorpus, readFindings } from '../../../nightly/fuzz/src/packed.js';
import type { Target } from '../../../nightly/fuzz/src/target.js';
import { target as codecs } from '../../../nightly/fuzz/src/targets/codecs.js';
import { target as detection } from '../../../nightly/fuzz/src/targets/detection.js';
import { target as dumps } from '../../../nightly/fuzz/src/targets/dumps.js';
import { target as explain } from '../../../nightly/fuzz/src/targets/explain.js';
import { target as framing } from '../../../nightly/fuzz/src/targets/framing.js';
import { target as interrupted } from '../../../nightly/fuzz/src/targets/interrupted.js';
import { target as jars } from '../../../nightly/fuzz/src/targets/jars.js';
import { target as repair } from '../../../nightly/fuzz/src/targets/repair.js';
import { target as streams } from '../../../nightly/fuzz/src/targets/streams.js';
import { target as undo } from '../../../nightly/fuzz/src/targets/undo.js';
import { choose, scale } from '../../../tiers/tier.js';

const targets = {
  ...{ codecs, detection, dumps, explain, framing, interrupted, jars, repair, streams, undo },
} satisfies Record<string, Target>;

describe.each(Object.entries<Target>(targets))('%s', (name, target) => {
  const findings = [...readFindings(name)].map(([file, bytes]) => [path.basename(file), bytes]);

  it.each(findings as [string, Buffer][])('holds for the finding %s', async (_, bytes) => {
    await check(target, bytes);
  });

  it('holds for inputs of its corpus', async () => {
    const inputs = readCorpus(name);
    expect(inputs.length).toBeGreaterThan(0);
    for (const bytes of choose(inputs, scale(100))) {
      try {
        await check(target, bytes);
      } catch (error) {
        throw new Error(bytes.toString('base64'), { cause: error });
      }
    }
  });
});
