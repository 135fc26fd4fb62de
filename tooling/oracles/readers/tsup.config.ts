// Sources that start programs beside them, as those of the vectors do.
export { default } from '../vectors/tsup.config.js';
