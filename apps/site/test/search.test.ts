/** The settings of the site, as VitePress loads them, and its search: what people type has its page among the first three results. */
import { fileURLToPath } from 'node:url';
import { resolveConfig, type SiteConfig } from 'vitepress';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadJSON, type SearchIndex, tokenize } from '../.vitepress/search-engine.js';
import { buildSearchIndex } from '../.vitepress/search-index.js';

it('splits texts into terms that people type', () => {
  expect(tokenize('--unpaired-surrogates')).toEqual([
    '--unpaired-surrogates',
    'unpaired',
    'surrogates',
  ]);
  expect(tokenize('`????` or \ufffd\ufffd')).toEqual(['????', 'or', '\ufffd\ufffd']);
  expect(tokenize('DataInput.readUTF(ðŸ˜€)')).toEqual([
    'DataInput',
    'Data',
    'Input',
    'readUTF',
    'read',
    'UTF',
    'ðŸ˜€',
  ]);
});

describe('the site', { tags: ['slow'] }, () => {
  let site: SiteConfig;
  let index: SearchIndex;
  beforeAll(async () => {
    const folder = fileURLToPath(new URL('..', import.meta.url));
    site = await resolveConfig(folder, 'build', 'production');
    index = loadJSON(await buildSearchIndex(site));
  });

  it('has all generated pages', () => {
    expect(site.pages.length).toBeGreaterThan(700);
  });

  it.each([
    // Symptoms.
    ['mojibake', '/symptoms#mojibake'],
    ['????', '/symptoms#question-marks'],
    ['������', '/symptoms#replacement'],
    ['ðŸ˜€', '/symptoms#mojibake'],
    ['Ã¤', '/symptoms#mojibake'],
    ['ED A0 BD ED B8 80', '/symptoms#six-bytes'],
    ['\\xED\\xA0', '/symptoms#six-bytes'],
    ['ED A0 80', '/vectors/'],
    // Messages.
    ['The encoded data was not valid', '/symptoms#node'],
    ['Incorrect string value', '/symptoms#mysql'],
    ['invalid byte sequence for encoding "UTF8": 0xed 0xa0 0xbd', '/symptoms#postgresql'],
    ["UnicodeDecodeError: 'utf-8' codec can't decode byte 0xed", '/symptoms#python'],
    ['surrogates not allowed', '/symptoms#python'],
    ['java.nio.charset.MalformedInputException: Input length = 1', '/symptoms#java'],
    ['malformed input around byte', '/symptoms#java'],
    ['ORA-29275', '/symptoms#oracle'],
    ['ORA-12899', '/symptoms#oracle'],
    ['ERR_UTF8_DECODE', '/guide/errors#codes'],
    // Products.
    ['Minecraft', '/minecraft'],
    ['NBT', '/minecraft'],
    ['SAP HANA', '/symptoms#six-bytes'],
    ['AL32UTF8', '/databases/node-oracledb'],
    ['node-oracledb', '/databases/node-oracledb'],
    ['Cloudflare Workers', '/guide/runtimes#cloudflare'],
    ['iconv-lite', '/guide/moving#from-iconv-lite'],
    ['Hadoop', '/engines'],
    ['heap dump', '/class-files'],
    ['prismarine-nbt', '/minecraft'],
    // Options and commands.
    ['convert --format csv', '/command/convert'],
    ['--unpaired-surrogates', '/command/'],
    ['--mojibake repair', '/command/'],
    ['--rejects', '/command/convert'],
    ['utf8 revert', '/command/revert'],
    // Labels, reasons, names of the API.
    ['utf8mb3', '/databases/mysql'],
    ['cesu-8+utf-8', '/variants/cesu8-mixed'],
    ['wrong-form', '/guide/errors#wrong-form'],
    ['DataInput.readUTF', '/symptoms#java'],
    ['findFault', '/api/core#findfault'],
    ['GetStringUTFChars', '/jni'],
    ['surrogateescape', '/guide/errors#policies'],
    ['pair/emoji', '/vectors/pair-emoji'],
    ['40 GB', '/large-dumps'],
  ])('finds %s among the first three results', (query, start) => {
    const found = index.search(query).slice(0, 3);
    expect(found.map(({ id }) => id)).toContainEqual(expect.stringContaining(start));
  });
});
