// Prints the totals of test runs: node tooling/tiers/count.mjs [REPORT…]; of the last run, without a report.
import { existsSync, readFileSync } from 'node:fs';

const [...reports] = process.argv.slice(2);
const total = { passed: 0, failed: 0, skipped: 0 };
for (const report of reports.length > 0 ? reports : ['node_modules/.cache/test-report.json']) {
  // A run that leaves no report has failed as a whole.
  const files = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : [{ failed: 1 }];
  for (const key of Object.keys(total)) {
    for (const file of files) total[key] += file[key] ?? 0;
  }
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
