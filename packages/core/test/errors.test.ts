import { DecodeError, EncodeError } from '@utf8/core';
import { expect, it } from 'vitest';

it('the message of DecodeError contains the encoding, the offset, the reason and the bytes', () => {
  const fault = { offset: 7, length: 2, reason: 'truncated', incomplete: false } as const;
  const error = new DecodeError('CESU-8', fault, Uint8Array.of(0xe2, 0x82));
  expect(error.message).toBe('Malformed CESU-8 at byte 7: truncated (E2 82).');
  expect(error.name).toBe('DecodeError');
});

it('the message of EncodeError contains the encoding, the code point and the index', () => {
  const error = new EncodeError('UTF-8', 3, 0xd83d);
  expect(error.message).toBe('UTF-8 cannot encode the lone surrogate U+D83D at index 3.');
});
