import type { FormatDefinition } from './format.js';
import { LineReader, type LineRules, LineScanner } from './shared/linewise.js';
import { valueOptions } from './shared/options.js';

const rules: LineRules = {
  split(_, { start }, end, fields) {
    fields.add(start, end, 'text', undefined, 1);
  },
};

/** Plain lines: each is a record with one field, without the CR before its line feed. */
export const lines: FormatDefinition = {
  name: 'lines',
  summary: 'plain lines, each a record',
  options: valueOptions,
  create: () => ({
    name: 'lines',
    isLineBased: true,
    isOpaqueAscii: true,
    createReader: (state) => new LineReader(rules, state),
    createScanner: (state) => new LineScanner(rules, state),
    quote: (text) => text,
    nuls: [],
    readValue: (bytes, { start, end }, text = bytes.subarray(start, end)) => text,
  }),
};
