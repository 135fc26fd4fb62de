/** Names of entries in CESU-8, with the flag of UTF-8 or in the extra field for Unicode, as libarchive reads them. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { nameCases, toItem } from '../../../../packages/classfile/test/names.js';
import { zip } from '../../../../packages/classfile/test/zip.js';
import { inFolder, run } from '../../src/program.js';

const program = fileURLToPath(new URL('../peers/libarchive.py', import.meta.url));

it('libarchive reads the names that we read', () => {
  const common = nameCases.filter(({ isCommon }) => isCommon);
  inFolder((folder) => {
    const file = path.join(folder, 'names.jar');
    writeFileSync(file, zip(common.map(toItem)));
    const lines = run(['python3', program, file]).toString().trimEnd().split('\n');
    const names = lines.map((line) => Buffer.from(line, 'hex').toString());
    expect(names).toEqual(common.map(({ text }) => `${text}.class`));
  });
});
