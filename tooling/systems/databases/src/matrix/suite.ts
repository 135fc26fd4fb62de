/** The tests of a server: each combination on each schema, or a sample of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { choose, isNight } from '../../../../tiers/tier.js';
import { seed } from '../seed.js';
import { type Combination, nameOf } from './combination.js';
import { defects } from './defects.js';
import type { Engine } from './engine.js';
import { Matrix, schemasOf } from './matrix.js';

/** Columns of text that cannot have both pairs and faults. */
const undamaged: Readonly<Record<string, readonly string[]>> = {
  // Tables of nothing but references, whose rows are rejected only with others; and columns too short for a pair.
  'mariadb northwind': [
    'customer_customer_demo.customer_id',
    'customer_customer_demo.customer_type_id',
    'employee_territories.territory_id',
    'us_states.state_abbr',
  ],
  'postgres northwind': [
    'public.customer_customer_demo.customer_id',
    'public.customer_customer_demo.customer_type_id',
    'public.customers.customer_id',
    'public.employee_territories.territory_id',
    'public.employees.extension',
    'public.orders.customer_id',
  ],
  // Labels of ENUM and SET.
  'mariadb types': ['texts.m', 'texts.n'],
  // A view of sound rows, labels of an enum, and XML, which PostgreSQL parses as UTF-8.
  'postgres types': ['public.kept.a', 'public.texts.h', 'public.texts.n', 'public.texts.s'],
};

/** Defines the tests: by day, some options of the sample of each schema; at night, all on all. */
export function defineMatrix(engine: Engine, combinations: readonly Combination[]): void {
  describe(`dumps of ${engine}, seed ${seed}`, () => {
    let matrix: Matrix;
    beforeAll(async () => {
      matrix = await Matrix.start(engine, seed);
    });
    afterAll(() => matrix?.stop());

    describe.each(choose(schemasOf(engine), 3))('%s', (schema) => {
      const asked = combinations.filter(
        ({ sample, without }) => !without?.includes(schema) && (isNight || sample === schema),
      );
      const chosen = choose(asked, 1).map(
        (combination) => [nameOf(combination), combination] as const,
      );

      it('is damaged in every column of text', () => {
        matrix.prepare(schema);
        expect(matrix.findUndamaged().join(' ')).toBe(
          (undamaged[`${engine} ${schema}`] ?? []).join(' '),
        );
      });

      it.each(chosen)('%s', (name, combination) => {
        matrix.prepare(schema);
        const { problems, cells } = matrix.run(combination);
        // At once, since the whole takes minutes; the test's own message has them all.
        for (const problem of problems.slice(0, 3))
          console.log(`${engine} ${schema} ${name}: ${problem}`);
        if (problems.length > 3) console.log(`and ${problems.length - 3} more`);
        const known = defects.find(
          ({ schemas, ...defect }) =>
            defect.engine === engine &&
            (schemas === undefined || schemas.includes(schema)) &&
            defect.name.test(name),
        );
        if (known) expect(problems, `remove from defects.ts: ${known.why}`).not.toEqual([]);
        else expect(problems).toEqual([]);
        const hasCells = combination.hasRows !== false && combination.expects !== 'refused';
        if (hasCells && !known) expect(cells).toBeGreaterThan(0);
      });
    });
  });
}
