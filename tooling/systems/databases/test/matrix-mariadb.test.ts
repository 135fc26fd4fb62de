/** Every option of mysqldump, from damaged rows to the cells of another database. */
import { mariadbDumpCombinations } from '../src/matrix/mariadb-dump.js';
import { defineMatrix } from '../src/matrix/suite.js';

defineMatrix('mariadb', mariadbDumpCombinations);
