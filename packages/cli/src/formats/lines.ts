import type { Format } from './format.js';
import { LineReader, type LineRules } from './linewise.js';

const rules: LineRules = {
  split(_, row, end, fields) {
    fields.add(row.start, end, 'text', undefined, 1);
  },
};

/** A record is a line, and all of it is its one field; a CR before the line feed is not. */
export const lines: Format = {
  name: 'lines',
  isLineBased: true,
  createReader: (state) => new LineReader(rules, state),
  quote: (text) => text,
  nuls: [],
};
