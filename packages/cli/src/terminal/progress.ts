/** A progress bar on stderr, if that is a terminal. Bytes have none if their total is unknown. */
import { beforeStop } from './signals.js';

/** Milliseconds before a bar appears, and between two drawings of it; characters of the bar. */
const PATIENCE = 500;
const INTERVAL = 100;
const WIDTH = 40;

let isShown = false;
let next = 0;

/** Makes room for other lines; the bar returns after a while without any. */
export function clearProgress(): void {
  if (isShown) process.stderr.write('\r\x1b[2K');
  isShown = false;
  next = performance.now() + PATIENCE;
}

/** Makes a function that draws how many bytes, rows or inputs are done, at most ten times a second. */
export function createProgress(
  unit: 'bytes' | 'rows' | 'inputs' = 'bytes',
): (done: number, total: number | undefined) => void {
  const started = performance.now();
  beforeStop(clearProgress);
  clearProgress();
  return (done, total) => {
    const now = performance.now();
    if (!process.stderr.isTTY || (!total && unit !== 'rows') || now < next) return;
    next = now + INTERVAL;
    isShown = true;
    const rate = Math.round((1000 * done) / Math.max(now - started, 1));
    let text = `${done} rows, ${rate} rows/s`;
    if (total) {
      const share = Math.min(done / total, 1);
      const bar = '█'.repeat(Math.floor(share * WIDTH)).padEnd(WIDTH, '░');
      const seconds = ((now - started) * (1 - share)) / Math.max(share, 1e-6) / 1000;
      const left = seconds < 60 ? `${Math.ceil(seconds)}s` : `${Math.ceil(seconds / 60)}min`;
      // Rows are read several times, so that their sum says nothing.
      const size =
        unit === 'rows'
          ? `, ${rate} rows/s`
          : ` of ${unit === 'inputs' ? `${total} inputs` : formatSize(total)}`;
      text = `${bar} ${Math.floor(100 * share)} %${size}, ${left} left`;
    }
    process.stderr.write(`\r\x1b[2K${text.slice(0, (process.stderr.columns || 80) - 1)}`);
  };
}

function formatSize(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), 4);
  const unit = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'][power];
  return `${(bytes / 1024 ** power).toFixed(power > 0 ? 1 : 0)} ${unit}`;
}
