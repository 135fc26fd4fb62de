/** Every option of pg_dump, from damaged rows to the cells of another database. */
import { pgDumpCombinations } from '../src/matrix/pg-dump.js';
import { defineMatrix } from '../src/matrix/suite.js';

defineMatrix('postgres', pgDumpCombinations);
