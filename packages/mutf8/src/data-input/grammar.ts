import { defineGrammar, type Grammar } from '@utf8/core';

/** The name that errors and decoders contain. */
export const name = 'Modified UTF-8 (DataInput)';

/** The label, and other names of the encoding, in any case. */
export const labels: readonly string[] = ['mutf-8-lenient'];

/**
 * Modified UTF-8 as `DataInputStream.readUTF` reads it: a raw 00 and overlong forms of two and three bytes
 * are accepted too. It is written as `DataOutputStream.writeUTF` writes it.
 *
 * @see java.io.DataInput, "Modified UTF-8", and readUTF
 */
export const grammar: Grammar = /* @__PURE__ */ defineGrammar(
  'code units',
  `
  U+0000         =  C0    80
  U+0001..U+007F =  01-7F
  U+0080..U+07FF =  C2-DF 80-BF
  U+0800..U+0FFF =  E0    A0-BF 80-BF
  U+1000..U+FFFF =  E1-EF 80-BF 80-BF

  U+0000         <= 00
  U+0001..U+003F <= C0    81-BF
  U+0040..U+007F <= C1    80-BF
  U+0000..U+07FF <= E0    80-9F 80-BF
`,
);
