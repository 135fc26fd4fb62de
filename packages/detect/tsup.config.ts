import { preset } from '../../tooling/build/tsup.js';

export default preset(['index', 'internal']);
