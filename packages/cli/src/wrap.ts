/** Text that fits a terminal. */
import { stripVTControlCharacters } from 'node:util';
import { eastAsianWidth } from 'get-east-asian-width';

/** What every terminal has, in columns. */
const COLUMNS = 80;

/**
 * Breaks text between words.
 *
 * @param first - What the first line begins with.
 * @param indent - What the others begin with.
 */
export function wrap(text: string, first: string, indent: string = first): string {
  let result = '';
  let line = first;
  let width = measureText(first);
  let isStart = true;
  for (const word of text.replace(BONDS, '\u00a0').split(' ')) {
    const wordWidth = measureText(word);
    if (!isStart && width + 1 + wordWidth > COLUMNS) {
      result += `${line}\n`;
      line = indent;
      width = measureText(indent);
      isStart = true;
    }
    line += isStart ? word : ` ${word}`;
    width += isStart ? wordWidth : wordWidth + 1;
    isStart = false;
  }
  return `${result}${line}\n`.replaceAll('\u00a0', ' ');
}

/** Spaces at which no line is broken: in section numbers, between bytes in hex, before a unit. */
const BONDS =
  /(?<=\b(?:RFC|Unicode|UTR)) (?=[#\d])|(?<=\d) (?=§|U\+FFFD|bytes?\b)|(?<=\b[\dA-F]{2}) (?=[\dA-F]{2}\b)/g;

/** How many columns a text takes, where each of its characters stands for itself. Colour takes none. */
export function measureText(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text))
    width += eastAsianWidth(character.codePointAt(0) as number);
  return width;
}
