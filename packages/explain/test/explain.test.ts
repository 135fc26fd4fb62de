import { codecFor, labels } from '@utf8/detect';
import { vectors } from '@utf8/vectors';
import { describe, expect, it } from 'vitest';
import { explain, Notes, showCharacter } from '../src/index.js';

const parse = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));

describe('every vector', () => {
  it.each(vectors.map(({ id, bytes }) => [id, parse(bytes)] as const))('%s', (_, bytes) => {
    const explanations = [...explain(bytes)];
    let next = 0;
    for (const { offset, length, bytes: hex, bits } of explanations) {
      expect(offset).toBe(next);
      expect(parse(hex.replaceAll(' ', ''))).toEqual(bytes.slice(offset, offset + length));
      const spelled = bits.split(' ').map((byte) => Number.parseInt(byte.replace('|', ''), 2));
      expect(Uint8Array.from(spelled)).toEqual(bytes.slice(offset, offset + length));
      next += length;
    }
    expect(next).toBe(bytes.length);
    for (const label of labels) {
      const found = explanations.flatMap(({ variants }) => variants[label].faults);
      const expected = Array.from(codecFor(label).faults(bytes), ({ offset, length, reason }) => {
        return { offset, length, reason };
      });
      expect(found, label).toEqual(expected);
    }
    expect(JSON.parse(JSON.stringify(explanations))).toEqual(explanations);
  });
});

it('explains an array of bytes, and nothing else', () => {
  expect([...explain(new Uint8Array())]).toEqual([]);
  expect(() => [...explain('é' as unknown as Uint8Array)]).toThrow(TypeError);
});

it('shows characters that have no shape by their names', () => {
  expect(
    Array.from([0, 0x7f, 0x85, 0x202e, 0xfeff, 0x41, 0xd800, 0x110000], showCharacter),
  ).toEqual(['NUL', 'DEL', 'NEL', 'RLO', 'BOM', 'A', '', '']);
});

it('has no notes for plain text', () => {
  expect(new Notes().list()).toEqual([]);
});
