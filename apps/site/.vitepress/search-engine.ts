/** The search of the site, in its build and in browsers. The theme imports it instead of MiniSearch. */
import MiniSearch, { type Options, type SearchOptions, type SearchResult } from 'minisearch';

/**
 * Splits a text into terms: words and numbers, runs of question marks and of what damaged text shows, and options
 * with their dashes.
 */
export const tokenize = (text: string): string[] =>
  text.match(/--?[a-z][a-z-]+|\?{3,}|(?:(?!`)[\p{L}\p{M}\p{N}\p{S}])+/giu)?.flatMap(expand) ?? [];

/** Also finds the words of a name: `unpaired` of `--unpaired-surrogates`, `read` of `readUTF`. */
function expand(term: string): string[] {
  const words = term.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').match(/[^-\s]+/gu) ?? [];
  return words.length === 1 && words[0] === term ? [term] : [term, ...words];
}

/** Options of an index. Both sides must have the same. */
export const indexOptions: Options = {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  tokenize,
};

/** Parts of the site that answer a question, before those that list everything. */
const weigh = (id: string): number => {
  if (/\/symptoms\b/.test(id)) return 1.5;
  if (/\/vectors\/./.test(id)) return 0.4;
  return /\/(?:api|changes|speed|sizes|versions)\b/.test(id) ? 0.6 : 1;
};

const searchOptions: SearchOptions = {
  prefix: (term) => term.length > 2,
  fuzzy: (term) => (term.length > 4 && /^\p{L}+$/u.test(term) ? 0.2 : false),
  boost: { title: 4, titles: 1.5, text: 2 },
  boostDocument: (id) => weigh(String(id)),
};

/** An index that can be searched. */
export interface SearchIndex {
  search(query: string): SearchResult[];
}

/** Loads an index. The options are always those above. */
export function loadJSON(json: string): SearchIndex {
  const index = MiniSearch.loadJSON(json, indexOptions);
  return {
    /** Finds sections that contain all terms, followed by sections that contain some terms. */
    search(query) {
      const all = index.search(query, { ...searchOptions, combineWith: 'AND' });
      const known = new Set(all.map(({ id }) => id));
      return [...all, ...index.search(query, searchOptions).filter(({ id }) => !known.has(id))];
    },
  };
}

export default { loadJSON };
