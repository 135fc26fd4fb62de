/** The options that `utf8_spark.py` knows are those of `utf8 convert`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demandUtf8 } from '@utf8/systems/databases/utf8';
import { expect, it } from 'vitest';
import { engines } from '../src/pyspark.js';

const program = readFileSync(join(engines, 'utf8_spark.py'), 'utf8');

/** Reads the keys and values of a dictionary in the program. */
function readDictionary(name: string): Map<string, string> {
  const [, body = ''] = new RegExp(`^${name}: [^\\n]* = \\{\\n(.*?)^\\}`, 'ms').exec(program) ?? [];
  return new Map(
    Array.from(body.matchAll(/^ {4}"([\w-]+)": (.*),$/gm), ([, key, value]) => [
      key as string,
      value as string,
    ]),
  );
}

it('every option is accepted or refused, with a value or without', () => {
  const accepted = readDictionary('ACCEPTED');
  const refused = readDictionary('REFUSED');
  const [help = ''] = demandUtf8(['convert', '--help']).toString().split('\nValues:');
  const options = Array.from(help.matchAll(/^ +(?:-\w, )?--([\w-]+)( [A-Z-]+)? {2,}/gm));
  expect(options.length).toBeGreaterThan(25);
  for (const [, name = '', value] of options) {
    expect([name, accepted.has(name) !== refused.has(name)]).toEqual([name, true]);
    if (accepted.has(name))
      expect([name, accepted.get(name)]).toEqual([name, value ? 'True' : 'False']);
  }
  const known = new Set(options.map(([, name]) => name));
  expect([...accepted.keys(), ...refused.keys()].filter((name) => !known.has(name))).toEqual([]);
});
