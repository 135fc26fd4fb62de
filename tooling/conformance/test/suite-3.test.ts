import { testVariants } from '../src/variants.js';

testVariants(3, 4);
