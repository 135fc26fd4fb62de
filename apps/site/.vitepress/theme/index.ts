import { type Theme, withBase } from 'vitepress';
// The fonts of the system: others would weigh more than all the rest of a page.
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import './style.css';

/** Content of an address without a page. VitePress' own component has no main region. */
const NotFound = () =>
  h('main', { class: 'not-found' }, [
    h('h1', 'No such page'),
    h('p', [
      'It may have moved: search for it, or ',
      h('a', { href: withBase('/') }, 'start at the first page'),
      '.',
    ]),
  ]);

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'not-found': () => h(NotFound) }),
  enhanceApp() {
    // Pages that were read once can be read again without a network.
    if (import.meta.env.PROD && !import.meta.env.SSR && 'serviceWorker' in navigator) {
      navigator.serviceWorker.register(`${import.meta.env.BASE_URL}service-worker.js`);
    }
  },
} satisfies Theme;
