import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
// node race.mjs FILE RUNS name=cmd...   (cmd with IN OUT)
const [file, runs, ...cmds] = process.argv.slice(2);
const list = cmds.map((c) => { const i = c.indexOf('='); return { name: c.slice(0, i), argv: c.slice(i + 1).replace('IN', file).replace('OUT', `${process.env.OUTDIR ?? "/dev/shm/h"}/out-${c.slice(0, i)}`).split(' '), t: [], rss: 0 }; });
for (let r = 0; r < +runs; r++) for (const c of list) {
  const t = performance.now(); const p = spawnSync('/usr/bin/time', ['-f', '%U %S %M', ...c.argv], { encoding: 'utf8' }); c.t.push(performance.now() - t);
  if (p.status !== 0) console.error(c.name, p.status, p.stderr);
  const [u, sy, m] = p.stderr.trim().split('\n').at(-1).split(' '); c.rss = Math.max(c.rss, m / 1024); (c.cpu ??= []).push(+u + +sy);
}
const med = (a) => a.sort((x, y) => x - y)[a.length >> 1];
for (const c of list) { const m = med(c.t); c.m = m; console.log(c.name.padEnd(12), 'min', c.t[0].toFixed(0).padStart(6), 'med', m.toFixed(0).padStart(6), 'rss', c.rss.toFixed(0), 'MB  cpu min', Math.min(...c.cpu).toFixed(2), 'med', med(c.cpu).toFixed(2), 'x', (list[0].t[0] / c.t[0]).toFixed(2), (med(list[0].t) / m).toFixed(2)); }
