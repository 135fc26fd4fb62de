// Fetches what the bundle and its tests need into the clone: node tooling/release/install.mjs
import { DebianFiles, debianPackages, fetchNode } from './src/parts.mjs';

fetchNode();
for (const name of debianPackages) new DebianFiles(name).fetch();
