import { testVariants } from '../src/variants.js';

testVariants(4, 4);
