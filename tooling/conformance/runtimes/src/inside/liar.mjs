// Preloaded by Node: a platform whose codec runs and gives wrong answers. A codec that trusts it fails.
import { TextDecoder as Decoder, TextEncoder as Encoder } from 'node:util';

/** Takes overlong forms and surrogates, as decoders did before 2003, and drops a byte order mark. */
function decodeLoosely(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i];
    const length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    let codePoint = length === 1 ? lead : lead & (0x7f >> length);
    for (let k = 1; k < length; k++) codePoint = (codePoint << 6) | (bytes[i + k] & 0x3f);
    text += String.fromCodePoint(Math.min(codePoint, 0x10ffff));
    i += length;
  }
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

globalThis.TextDecoder = class extends Decoder {
  decode(bytes) {
    return this.encoding === 'utf-8' ? decodeLoosely(bytes) : super.decode(bytes);
  }
};

// Leaves lone surrogates out.
const repair = (text) => text.replace(/\p{Surrogate}/gu, '');
globalThis.TextEncoder = class extends Encoder {
  encode(text) {
    return super.encode(repair(text));
  }
  encodeInto(text, target) {
    return { ...super.encodeInto(repair(text), target), read: text.length };
  }
};
String.prototype.isWellFormed = () => true;

const module = process.getBuiltinModule('node:buffer');
Object.assign(module, { isAscii: () => true, isUtf8: () => true });

const { prototype } = Buffer;
const { latin1Slice, ucs2Slice, ucs2Write } = prototype;
/** Is wrong for the arrays of codecs alone: Node itself needs these methods. */
const lie = (name, method, wrong) => {
  prototype[name] = function (...values) {
    return Buffer.isBuffer(this) ? method.apply(this, values) : wrong.apply(this, values);
  };
};
lie('indexOf', prototype.indexOf, () => -1);
lie('latin1Slice', latin1Slice, function (...range) {
  return latin1Slice.apply(this, range).replaceAll('\x80', '€');
});
lie('ucs2Slice', ucs2Slice, function (...range) {
  return ucs2Slice.apply(this, range).replace(/^\ufeff/, '');
});
lie('ucs2Write', ucs2Write, function (text, ...range) {
  return ucs2Write.call(this, text.toWellFormed(), ...range);
});
lie('utf8Slice', prototype.utf8Slice, function (from, to) {
  return decodeLoosely(this.subarray(from, to));
});
