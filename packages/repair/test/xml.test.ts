/** XML: what no parser accepts in it, by XML 1.0, section 2.2. */
import { describe, expect, it } from 'vitest';
import {
  controlPolicies,
  createRepairer,
  hasExcludedReference,
  type RepairOptions,
  type Syntax,
} from '../src/index.js';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const run = (text: string, options: Partial<RepairOptions> = {}, syntaxes: Syntax[] = []) => {
  const repair = createRepairer({ from: 'utf-8', ...options });
  const { status, bytes, findings } = repair(encode(text), {
    escapes: false,
    value: {
      syntaxes,
      structure: { is: 'xml' },
    },
  });
  if (status === 'changed') {
    const again = repair(bytes, { escapes: false, value: { syntaxes, structure: { is: 'xml' } } });
    expect(again.status, decode(bytes)).toBe('unchanged');
  }
  const found = findings.map(({ offset, length, kind }) => [offset, length, kind]);
  return { status, text: decode(bytes), found };
};

describe('a reference', () => {
  it.each([
    ['<a>&#55357;&#56838;</a>', '<a>&#128518;</a>'],
    ['<a b="&#xD83D;&#xde06;"/>', '<a b="&#x1F606;"/>'],
    ['&#0055357;&#xDE06;', '&#128518;'],
  ])('to two surrogates is a pair: %s', (text, result) => {
    const length = text.length - text.replace(/(?:&[^;]*;)+/, '').length;
    expect(run(text)).toEqual({
      status: 'changed',
      text: result,
      found: [[text.indexOf('&'), length, 'pair']],
    });
  });

  it('to one surrogate follows the policy for these', () => {
    const text = '<a>&#55357; &#56838;&#xD83D;</a>';
    const kinds = ['unpaired-surrogate', 'unpaired-surrogate', 'unpaired-surrogate'];
    expect(run(text).status).toBe('rejected');
    expect(run(text).found.map(([, , kind]) => kind)).toEqual(kinds);
    const of = (unpairedSurrogates: 'replace' | 'escape') => run(text, { unpairedSurrogates }).text;
    expect(of('replace')).toBe('<a>\ufffd \ufffd\ufffd</a>');
    expect(of('escape')).toBe('<a>\\ud83d \\ude06\\ud83d</a>');
    const kept = { from: 'wtf-8', to: 'wtf-8', unpairedSurrogates: 'keep' } as const;
    expect(run(text, kept).status).toBe('unchanged');
  });

  it('to U+0000 follows the policy for it', () => {
    expect(run('<a>&#0;</a>').found).toEqual([[3, 4, 'nul']]);
    expect(run('<a>&#0;&#x00;</a>', { nul: 'remove' }).text).toBe('<a></a>');
    expect(run('<a>&#0;</a>', { nul: 'keep' }).status).toBe('unchanged');
  });

  it.each([
    '&#1;',
    '&#x1F;',
    '&#11;',
    '&#65535;',
    '&#xFFFE;',
    '&#x110000;',
    `&#${'9'.repeat(400)};`,
  ])('to no character of XML follows the policy for controls: %.20s', (reference) => {
    const text = `<a>${reference}</a>`;
    expect(hasExcludedReference(encode(text))).toBe(true);
    expect(run(text)).toMatchObject({
      status: 'rejected',
      found: [[3, reference.length, 'control']],
    });
    expect(run(text, { controls: 'replace' }).text).toBe('<a>\ufffd</a>');
    expect(run(text, { controls: 'remove' }).text).toBe('<a></a>');
    expect(run(text, { controls: 'keep' }).status).toBe('unchanged');
  });

  it.each([
    '&#9;&#10;&#xD;&#32;&#128518;&#x10FFFF;&amp;',
    '&#;&#x;&#X1;&#1&#x1G;&#55357',
    '<!-- &#55357;&#0; --><![CDATA[&#1;]]><?a &#1;?>',
    '<![CDATA[ &#0; ',
  ])('is none, or to a character: %s', (text) => {
    expect(run(text).status).toBe('unchanged');
  });
});

it('a control is excluded everywhere', () => {
  const text = '\x01<!--\x02--><![CDATA[\x1f]]>\t\r\n\x0b\uffff\x7f\x80';
  expect(run(text).found).toEqual([
    [0, 1, 'control'],
    [5, 1, 'control'],
    [18, 1, 'control'],
    [25, 1, 'control'],
    [26, 3, 'control'],
  ]);
  expect(run(text, { controls: 'remove' }).text).toBe('<!----><![CDATA[]]>\t\r\n\x7f\x80');
  const both = { controls: 'remove', noncharacters: 'replace' } as const;
  expect(run('\uffff\x01', both).text).toBe('\ufffd');
});

it.each([
  ['<\x01!-- -->', '<\ufffd!-- -->'],
  ['<!-\x01- a', '<!-\ufffd- a'],
  ['<![CDATA[]]\x01>]]>', '<![CDATA[]]\ufffd>]]>'],
  ['&\x01#0;', '&\ufffd#0;'],
  ['&#\x011;', '&#\ufffd1;'],
  ['a\x01b', 'ab'],
])('is not removed where the rest would be read as something else: %j', (text, result) => {
  expect(run(text, { controls: 'remove' }).text).toBe(result);
});

it('stands in other spellings', () => {
  const copy: Syntax = { escaper: 0x5c, codes: /(?!)()|(?!)()|x([\dA-Fa-f]{1,2})|([0-7]{1,3})/y };
  expect(run('<a>\\x01&#55357;\\x26#56838;</a>', { controls: 'remove' }, [copy])).toEqual({
    status: 'changed',
    text: '<a>&#128518;</a>',
    found: [
      [3, 4, 'control'],
      [7, 19, 'pair'],
    ],
  });
  const of = (is: 'array') => ({ syntaxes: [], structure: { is, of: { is: 'xml' } } }) as const;
  const { bytes } = createRepairer({ from: 'utf-8', unpairedSurrogates: 'escape' })(
    encode('{"<a b=\\"&#55357;\\"/>"}'),
    { escapes: false, value: of('array') },
  );
  expect(decode(bytes)).toBe('{"<a b=\\"\\\\ud83d\\"/>"}');
});

it('has four policies', () => {
  expect(controlPolicies).toEqual(['fail', 'keep', 'replace', 'remove']);
  expect(() => createRepairer({ from: 'utf-8', controls: 'drop' as never })).toThrow(
    'unknown controls: "drop"; expected fail, keep, replace, remove',
  );
});

it('is no matter of other text', () => {
  const repair = createRepairer({ from: 'utf-8' });
  expect(repair(encode('\x01&#0;&#55357;&#56838;')).status).toBe('unchanged');
});
