/** All tests of the server of SQLite. */
import { defineEveryKind } from './every-kind.js';
import { defineLeftOut } from './left-out.js';
import { defineOtherPrograms } from './other-programs.js';
import { defineProgressTable } from './progress-table.js';
import { defineSideEffects } from './side-effects.js';
import { defineTextReferences } from './text-references.js';
import { defineTraps } from './traps.js';
import { defineUniqueKeys } from './unique-keys.js';
import { defineUnusableFiles } from './unusable-files.js';

export function defineSuite(): void {
  defineEveryKind();
  defineLeftOut();
  defineSideEffects();
  defineUniqueKeys();
  defineTextReferences();
  defineProgressTable();
  defineUnusableFiles();
  defineOtherPrograms();
  defineTraps();
}
