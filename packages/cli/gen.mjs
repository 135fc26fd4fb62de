import { openSync, writeSync } from 'node:fs';
// dump-like CESU-8 lines; ~2 % of characters emoji per field text
let s = 12345; const rnd = () => (s = (s * 1664525 + 1013904223) >>> 0) / 2 ** 32;
const words = 'the of and to größer schön für müssen déjà français и в не на человек время 한국 사람들이 的一是在不了有 customers order'.split(' ');
const cesu = (t) => { const out = []; for (let i = 0; i < t.length; i++) { const u = t.charCodeAt(i); if (u < 0x80) out.push(u); else if (u < 0x800) out.push(0xc0 | u >> 6, 0x80 | u & 63); else out.push(0xe0 | u >> 12, 0x80 | u >> 6 & 63, 0x80 | u & 63); } return Buffer.from(out); };
const block = (n) => { const parts = []; let len = 0; let id = 1e5 + Math.floor(rnd() * 1e6); while (len < n) { let line = `${id++},"2024-0${1 + Math.floor(rnd() * 9)}-11",`; for (let k = 0; k < 10; k++) { line += words[Math.floor(rnd() * words.length)]; line += rnd() < 0.12 ? String.fromCodePoint(0x1f600 + Math.floor(rnd() * 80)) : ' '; } line += `,${Math.floor(rnd() * 1e5)}.00,plain ascii text field\n`; const b = cesu(line); parts.push(b); len += b.length; } return Buffer.concat(parts); };
const b = block(4 << 20);
for (const [name, size] of [['1', 1], ['16', 16], ['64', 64], ['256', 256], ['1024', 1024]]) {
  const fd = openSync(`m${name}`, 'w'); let left = size << 20; 
  while (left > 0) { let n = Math.min(left, b.length); let piece = b.subarray(0, n); if (n < b.length || left === n) { n = n; let e = piece.lastIndexOf(10) + 1; piece = piece.subarray(0, e); writeSync(fd, piece); writeSync(fd, Buffer.alloc(n - e, 0x20)); } else writeSync(fd, piece); left -= n; }
}
