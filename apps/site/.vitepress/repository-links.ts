/** Links that leave the pages: they lead to files of the repository, here and on GitHub. */
import path from 'node:path';

const FILES = 'https://github.com/utf8-codecs/utf8/blob/main/';

interface Token {
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

interface Markdown {
  core: {
    ruler: {
      push(
        name: string,
        rule: (state: {
          env: { relativePath?: string };
          tokens: { children: (Token & { type: string })[] | null }[];
        }) => void,
      ): void;
    };
  };
}

/** Has markdown-it turn `../../../packages/core` into the place of that folder on GitHub. */
export function linkToRepository(markdown: Markdown): void {
  markdown.core.ruler.push('repository', ({ env, tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null;
      if (!href || /^[a-z]+:|^[/#]/.test(href)) continue;
      const place = placeInRepository(env.relativePath ?? '', href);
      if (place !== undefined) token.attrSet('href', FILES + place);
    }
  });
}

/**
 * Finds the file that a link of a page names.
 *
 * @param page - Below `pages`, such as `databases/oracle.md`.
 * @param href - A relative link.
 * @returns From the root of the repository; undefined for another page.
 */
export function placeInRepository(page: string, href: string): string | undefined {
  const place = path.posix.normalize(
    path.posix.join('apps/site/pages', path.posix.dirname(page), href),
  );
  return place.startsWith('apps/site/pages/') ? undefined : place;
}
