/** Text that fits a terminal. */
import { stripVTControlCharacters } from 'node:util';
import { eastAsianWidth } from 'get-east-asian-width';

/** Spaces at which no line breaks: in section numbers, between bytes in hex, before a unit. */
const BONDS =
  /(?<=\b(?:RFC|Unicode|UTR)) (?=[#\d])|(?<=\d) (?=§|U\+FFFD|bytes?\b)|(?<=\b[\dA-F]{2}) (?=[\dA-F]{2}\b)/g;

/** Breaks text between words into lines, the first after `first` and the others after `indent`. */
export function wrap(text: string, first: string, indent: string = first, columns = 80): string[] {
  const lines: string[] = [];
  let line = first;
  let width = measureText(first);
  let isStart = true;
  for (const word of text.replace(BONDS, '\u00a0').split(' ')) {
    const wordWidth = measureText(word);
    if (!isStart && width + 1 + wordWidth > columns) {
      lines.push(line);
      line = indent;
      width = measureText(indent);
      isStart = true;
    }
    line += isStart ? word : ` ${word}`;
    width += isStart ? wordWidth : wordWidth + 1;
    isStart = false;
  }
  return [...lines, line].map((each) => each.replaceAll('\u00a0', ' '));
}

/** Measures text in columns; colour has no width. */
function measureText(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text)) {
    width += eastAsianWidth(character.codePointAt(0) as number);
  }
  return width;
}

/** Pads text with spaces at its end, to a width in columns. */
export const padText = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - measureText(text)));
