import { preset } from '../../tooling/build/tsup.js';

export default preset(['index', 'jar', 'dex', 'resources', 'data']);
