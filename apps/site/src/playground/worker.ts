/** The worker of the playground: inputs stay here, and the page stays alive. */
import { type Analysis, analyse } from './analysis.js';
import { type Conversion, convert, type Outcome } from './conversion.js';
import type { Input } from './input.js';

/** Request of the page. */
export type Request =
  | { readonly id: number; readonly input: Input }
  | { readonly id: number; readonly input: Input; readonly conversion: Conversion };

/** Answer of the worker. */
export type Answer =
  | { readonly id: number; readonly done: number }
  | { readonly id: number; readonly analysis: Analysis }
  | { readonly id: number; readonly outcome: Outcome }
  | { readonly id: number; readonly error: string };

const post = (answer: Answer): void => self.postMessage(answer);

/** Progress is worth a message every 8 MiB. */
const STRIDE = 8 << 20;

self.addEventListener('message', async ({ data }: MessageEvent<Request>) => {
  const { id, input } = data;
  let next = STRIDE;
  try {
    if ('conversion' in data) {
      post({ id, outcome: await convert(input, data.conversion) });
      return;
    }
    const analysis = await analyse(input, (done) => {
      if (done < next) return;
      next = done + STRIDE;
      post({ id, done });
    });
    post({ id, analysis });
  } catch (error) {
    post({ id, error: explainError(error as Error) });
  }
});

/** Describes the error of a changed or deleted file; the browser's own message is about permissions. */
const explainError = ({ name, message }: Error): string =>
  ['NotReadableError', 'NotFoundError', 'AbortError'].includes(name)
    ? 'the file has changed since it was opened, or cannot be read; open it again.'
    : message;
