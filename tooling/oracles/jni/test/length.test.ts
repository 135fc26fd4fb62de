/** `GetStringUTFLength` of strings that are longer than it can say. */
import { describe, expect, it } from 'vitest';
import { useMachines } from '../src/machine.js';

const machines = useMachines();

/** A string takes a byte for each code unit of Latin-1 in memory, and two for U+0000 in Modified UTF-8. */
const COUNT = 2 ** 30;

describe.each(machines.map((machine) => [machine.name, machine] as const))('%s', (_, machine) => {
  it('says less than 2,147,483,648 bytes', { tags: ['night'] }, () => {
    const request = Buffer.alloc(6);
    request.writeInt32LE(COUNT);
    const answers = machine.ask('GetStringUTFLength', [request], '-Xmx1100m', '-Xmn4m');
    const [length, whole] = answers as [Buffer, Buffer | undefined];
    // Only whole code units are counted.
    expect(length.readInt32LE()).toBe(2 * COUNT - 2);
    const isNew = Number.parseInt(machine.jdk.version, 10) >= 24;
    expect(whole?.readBigInt64LE()).toBe(isNew ? BigInt(2 * COUNT) : undefined);
  });
});
