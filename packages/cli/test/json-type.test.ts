/** Every JSON object that the command writes tells what it is. */
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { makeClass } from './class.js';
import { useFolder, utf8 } from './command.js';

const path = useFolder();

beforeAll(() => {
  const pair = Buffer.from('EDA0BDEDB880', 'hex');
  const lone = Buffer.from('EDA0BD', 'hex');
  const rows = [Buffer.from('id,name\n1,'), pair, Buffer.from('\n2,'), lone, Buffer.from('\n')];
  writeFileSync(path('in.csv'), Buffer.concat(rows));
  writeFileSync(path('clean.csv'), 'id,name\n1,a\n3,b\n');
  writeFileSync(path('A.class'), makeClass('A', ['a']));
});

const csv = ['-f', 'cesu-8+utf-8', '--format', 'csv'];

it.each([
  ['check', ['check', '--json', 'in.csv'], ['finding', 'summary']],
  ['detect', ['detect', '--json', 'in.csv'], ['report']],
  ['explain', ['explain', '--json', 'clean.csv'], ['sequence']],
  ['convert', ['convert', ...csv, '--json', 'clean.csv', '-o', 'out'], ['summary']],
  ['convert --stats', ['convert', ...csv, 'clean.csv', '-o', 'out', '--stats', '-'], ['stats']],
  ['convert, refused', ['convert', ...csv, '--json', 'in.csv', '-o', 'out'], ['finding']],
  ['scan', ['scan', ...csv, '--json', 'in.csv'], ['finding', 'summary']],
  ['verify', ['verify', ...csv, '--json', 'in.csv', 'clean.csv'], ['finding', 'summary']],
  ['strings', ['strings', '--json', 'A.class'], ['string']],
])('%s writes objects with a type', async (_, args, types) => {
  const { stdout, stderr } = await utf8(args, '', { cwd: path('') });
  const text = stdout.toString();
  const objects = text.startsWith('{\n') ? [text] : text.trim().split('\n');
  const found = objects.map((each) => JSON.parse(each).type);
  expect([...new Set(found)].sort(), stderr).toEqual(types);
});

it.each([
  ['--stats', ['convert', ...csv, 'clean.csv', '-o', 'out', '--stats', 'told'], 'stats'],
  ['scan --report', ['scan', ...csv, 'in.csv', '--report', 'told'], 'finding'],
  ['verify --report', ['verify', ...csv, 'in.csv', 'clean.csv', '--report', 'told'], 'finding'],
])('the file of %s has objects with a type', async (_, args, type) => {
  await utf8(args, '', { cwd: path('') });
  const text = readFileSync(path('told'), 'utf8');
  const objects = text.startsWith('{\n') ? [text] : text.trim().split('\n');
  expect(new Set(objects.map((each) => JSON.parse(each).type))).toEqual(new Set([type]));
});
