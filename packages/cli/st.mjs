import { spawnSync } from 'node:child_process';
const med = (a) => a.sort((x, y) => x - y)[a.length >> 1];
const list = process.argv.slice(2).map((c) => ({ c, t: [] }));
for (let i = 0; i < 25; i++) for (const e of list) { const t = performance.now(); spawnSync('sh', ['-c', e.c]); e.t.push(performance.now() - t); }
for (const e of list) { const m = med(e.t); console.log(e.c.slice(-70).padEnd(72), e.t[0].toFixed(0), m.toFixed(0)); }
