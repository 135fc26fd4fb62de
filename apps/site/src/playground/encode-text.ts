/** Encodes a text as UTF-8, and its unpaired surrogates as WTF-8 does. */
import { encode } from '@utf8/wtf8/lite';

export const encodeText = (text: string): Uint8Array<ArrayBuffer> => encode(text);
