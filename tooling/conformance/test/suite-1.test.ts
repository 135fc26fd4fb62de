import { testVariants } from '../src/variants.js';

testVariants(1, 4);
