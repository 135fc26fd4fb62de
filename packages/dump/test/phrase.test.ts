import { describe, expect, it } from 'vitest';
import { BusyError, InputError, ioError, OutputError, UsageError } from '../src/error.js';
import { FormatError } from '../src/format/format-error.js';
import { joinPhrases, notify, opt, phrase, wordPhrase } from '../src/phrase.js';

const flags = (option: string, value?: string): string =>
  value === undefined ? `--${option}` : `--${option} ${value}`;

describe('a phrase', () => {
  it('is plain data, in which phrases within it are flat', () => {
    const inner = phrase`specify it with ${opt('output')}`;
    const whole = phrase`${opt('resume')} needs ${1} file; ${inner}${undefined}`;
    expect(structuredClone(whole)).toEqual(whole);
    expect(whole.filter((part) => typeof part === 'object')).toEqual([
      { option: 'resume' },
      { option: 'output' },
    ]);
    expect(wordPhrase(whole)).toBe('`resume` needs 1 file; specify it with `output`');
    expect(wordPhrase(whole, flags)).toBe('--resume needs 1 file; specify it with --output');
  });

  it('names values', () => {
    const both = joinPhrases([[opt('format', 'csv')], [opt('format', 'tsv')]], ' or ');
    expect(wordPhrase(both)).toBe("`format: 'csv'` or `format: 'tsv'`");
    expect(wordPhrase(both, flags)).toBe('--format csv or --format tsv');
  });

  it('may be a string', () => {
    expect(wordPhrase('no option', flags)).toBe('no option');
    expect(phrase`${'no option'}`).toEqual(['no option']);
  });
});

it('a notice comes as a sentence and in parts', () => {
  const notices: unknown[] = [];
  notify((...notice) => notices.push(notice), phrase`add ${opt('resume')}`);
  expect(notices).toEqual([['add `resume`', ['add ', { option: 'resume' }]]]);
  expect(notify(undefined, 'nothing')).toBeUndefined();
});

describe('an error names the first option', () => {
  const sentence = phrase`use ${opt('format', 'csv')} or ${opt('delimiter')}`;

  it.each([UsageError, InputError, OutputError, BusyError])('%o', (ErrorClass) => {
    const error = new ErrorClass(sentence);
    expect(error).toMatchObject({ option: 'format', phrase: sentence });
    expect(error.message).toBe("use `format: 'csv'` or `delimiter`");
    expect(new ErrorClass('none')).toMatchObject({ option: undefined, phrase: ['none'] });
  });

  it('with its place, too', () => {
    const error = new FormatError(sentence, 3, 4).in('a.csv');
    expect(error.option).toBe('format');
    expect(error.message).toBe("a.csv:3: byte 4: use `format: 'csv'` or `delimiter`");
    expect(wordPhrase(error.phrase, flags)).toBe(
      'a.csv:3: byte 4: use --format csv or --delimiter',
    );
  });

  it('if it comes from @utf8/files', () => {
    const cause = Object.assign(new Error('cannot resume: a is missing'), {
      code: 'ERR_UTF8_USAGE',
      option: 'resume',
    });
    const error = ioError('b', cause, OutputError) as UsageError;
    expect(error.option).toBe('resume');
    expect(error.message).toBe('cannot resume: a is missing; leave out `resume` to begin again');
  });
});
