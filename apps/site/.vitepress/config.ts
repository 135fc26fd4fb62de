import { type DefaultTheme, defineConfig } from 'vitepress';
import { listModules, nameOf } from '../src/api-page.js';
import { commandNames } from '../src/command-page.js';
import { variantNames } from '../src/variant-page.js';
import { useBrowserNode } from './browser-node.js';
import { linkToRepository } from './repository-links.js';
import { replaceSearch } from './search-index.js';
import { writeServiceWorker } from './service-worker.js';

const base = process.env.SITE_BASE ?? '/';

type Section = DefaultTheme.SidebarItem;

const guide: Section[] = [
  {
    text: 'Guide',
    items: [
      { text: 'What do you see?', link: '/symptoms' },
      { text: 'First five minutes', link: '/guide/first-steps' },
      { text: 'Which variant do I have?', link: '/guide/which-variant' },
      { text: 'Errors', link: '/guide/errors' },
      { text: 'Streams', link: '/guide/streams' },
      { text: 'Moving from other codecs', link: '/guide/moving' },
      { text: 'Runtimes', link: '/guide/runtimes' },
      { text: 'Sizes', link: '/sizes' },
      { text: 'Versions', link: '/versions' },
      { text: 'Speed', link: '/speed' },
    ],
  },
  {
    text: 'Databases',
    items: [
      { text: 'Oracle to PostgreSQL', link: '/databases/oracle' },
      { text: 'Oracle in Node', link: '/databases/node-oracledb' },
      { text: 'MySQL', link: '/databases/mysql' },
      { text: 'UTF-8 in latin1 tables', link: '/databases/latin1' },
      { text: 'Which rows were already right?', link: '/databases/already-right' },
      { text: 'PostgreSQL by a dump', link: '/databases/postgresql' },
      { text: 'PostgreSQL in place', link: '/databases/repair-postgresql' },
      { text: 'SQLite from Android', link: '/databases/android' },
      { text: 'A dump of 40 GB', link: '/large-dumps' },
      { text: 'Many processors and machines', link: '/engines' },
    ],
  },
  {
    text: 'Java and Android',
    items: [
      { text: 'Class files', link: '/class-files' },
      { text: 'NBT of Minecraft', link: '/minecraft' },
      { text: 'Strings across JNI', link: '/jni' },
    ],
  },
  {
    text: 'Project',
    items: [
      { text: 'Changes', link: '/changes' },
      { text: 'Security', link: '/security' },
    ],
  },
];

const variants: Section[] = [
  {
    text: 'Variants',
    items: [
      { text: 'All variants', link: '/variants/' },
      ...variantNames().map((name) => ({
        text: name,
        link: `/variants/${name.replace('/', '-')}`,
      })),
    ],
  },
  {
    text: 'Interop',
    items: [
      { text: 'Vectors', link: '/vectors/' },
      { text: 'How decoders read attacks', link: '/attacks' },
    ],
  },
];

const command: Section[] = [
  {
    text: 'The command',
    items: [
      { text: 'utf8', link: '/command/' },
      ...commandNames().map((name) => ({ text: `utf8 ${name}`, link: `/command/${name}` })),
    ],
  },
];

const api: Section[] = [
  {
    text: 'API reference',
    items: [
      { text: 'All modules', link: '/api/' },
      { text: 'All codecs', link: '/api/codec' },
      ...listModules().map(({ specifier }) => ({
        text: specifier,
        link: `/api/${nameOf(specifier)}`,
      })),
    ],
  },
];

export default defineConfig({
  title: 'utf8',
  description: 'Find and fix text that is almost UTF-8: CESU-8, Modified UTF-8, WTF-8 and mojibake',
  lang: 'en',
  srcDir: 'pages',
  base,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}icon.svg` }]],
  cleanUrls: true,
  // The first page links to many others, which would weigh more than itself.
  router: { prefetchLinks: false },
  // A link to a page that is not there fails the build.
  ignoreDeadLinks: false,
  markdown: {
    config: linkToRepository,
    // Others have colours that some cannot read.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  buildEnd: ({ outDir, site }) => writeServiceWorker(outDir, site.base),
  vite: { worker: { format: 'es', plugins: () => [useBrowserNode()] }, plugins: [replaceSearch()] },
  themeConfig: {
    logo: '/icon.svg',
    nav: [
      { text: 'What do you see?', link: '/symptoms' },
      { text: 'Guide', link: '/guide/first-steps' },
      { text: 'Variants', link: '/variants/' },
      { text: 'Command', link: '/command/' },
      { text: 'API', link: '/api/' },
      { text: 'Playground', link: '/playground' },
      { text: 'Changes', link: '/changes' },
    ],
    // Of two paths with as many slashes, the first counts.
    sidebar: {
      '/variants/': variants,
      '/vectors/': variants,
      '/attacks': variants,
      '/command/': command,
      '/api/': api,
      '/': guide,
    },
    outline: [2, 3],
    search: { provider: 'local', options: { detailedView: true } },
    socialLinks: [{ icon: 'github', link: 'https://github.com/utf8-codecs/utf8' }],
    editLink: {
      pattern: 'https://github.com/utf8-codecs/utf8/edit/main/apps/site/pages/:path',
      text: 'Edit this page',
    },
  },
});
