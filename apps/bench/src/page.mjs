/** A report as one HTML file that needs nothing else: the chart library and the numbers are in it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { showMachine } from './machine.mjs';
import { pageData } from './native/rows.mjs';
import { describeNoise, isTooNoisy } from './noise.mjs';
import { findWrong, NATIVE } from './report.mjs';

const require = createRequire(import.meta.url);

/** @param {string} name */
const part = (name) => readFileSync(new URL(`page/${name}`, import.meta.url), 'utf8');

/** Escapes text that would end the surrounding script. @param {string} text */
const inert = (text) => text.replaceAll('</script', '<\\/script');

/** @param {import('./report.mjs').Report} report */
export function makePage(report) {
  const chart = readFileSync(
    join(dirname(require.resolve('chart.js')), 'chart.umd.min.js'),
    'utf8',
  ).replace(/^\/\/# sourceMappingURL=.*$/m, '');
  const data = {
    ...report,
    wrong: findWrong(report),
    where: showMachine(report),
    noise: describeNoise(report.noise),
    isTooNoisy: report.noise.some(isTooNoisy),
    rivals: NATIVE,
    native: pageData(report.native),
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>How fast are the codecs?</title>
<style>
${part('style.css')}
</style>
</head>
<body>
<script type="application/json" id="report">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>
<script>${inert(chart)}</script>
<script>${inert(part('script.js'))}</script>
<script>${inert(part('native.js'))}</script>
</body>
</html>
`;
}
