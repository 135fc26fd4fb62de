/** Options of several commands on live databases; the URL is not one of them. */
import { type AllowedHazard, allowedHazards } from '@utf8/dump/internal';
import { wholeNumber } from './value.js';

/** The longest time that a timer can wait, in milliseconds. */
export const LONGEST: number = 2 ** 31 - 1;

const number = wholeNumber as (most?: number) => (text: string, flag: string) => number;

/** Options for the rows that are read, and how. */
export const rowOptions = {
  table: { value: 'TABLE', help: 'only this table', isRepeatable: true },
  column: { value: 'TABLE.COLUMN', help: 'only this column', isRepeatable: true },
} as const;

export const allowOption = {
  value: 'HAZARD',
  help: 'repair rows despite HAZARD',
  choices: allowedHazards as readonly AllowedHazard[],
  isRepeatable: true,
} as const;

export const serverOptions = {
  batch: {
    value: 'N',
    help: 'rows per transaction',
    parse: number(100_000),
    shownDefault: '1000',
  },
  'lock-timeout': {
    value: 'MS',
    help: 'wait at most MS milliseconds for a lock',
    parse: number(LONGEST),
    shownDefault: "the server's",
  },
} as const;
