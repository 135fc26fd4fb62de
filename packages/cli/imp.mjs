const t0 = performance.now(); const l = (n, t) => console.log(n.padEnd(30), (performance.now() - t).toFixed(1));
console.log('boot', t0.toFixed(1));
for (const m of ['node:crypto','node:fs','node:util','node:tty','node:timers/promises','commander','@utf8/core','@utf8/strict','@utf8/cesu8','@utf8/cesu8/lenient','@utf8/cesu8/mixed','@utf8/mutf8','@utf8/mutf8/data-input','@utf8/rfc2279','@utf8/detect','get-east-asian-width']) { const t = performance.now(); await import(m); l(m, t); }
const t = performance.now(); await import('./dist/utf8.js'); l('utf8.js', t);
