import { testVariants } from '../src/variants.js';

testVariants(2, 4);
