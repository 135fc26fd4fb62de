import { variants } from '../src/generated/codecs.js';
import { testKernels } from '../src/index.js';

for (const [name, { full }] of Object.entries(variants)) testKernels(name, full);
