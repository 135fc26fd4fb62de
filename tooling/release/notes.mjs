// Prints what the changelogs say about the current version, for the release on GitHub: node tooling/release/notes.mjs
// Needs nothing to be installed.
import { fileURLToPath } from 'node:url';
import { readNotes } from './src/changelog.mjs';

process.stdout.write(readNotes(fileURLToPath(new URL('../../', import.meta.url))));
