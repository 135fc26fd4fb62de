import type { Theme } from 'vitepress';
// The fonts of the system: others would weigh more than all the rest of a page.
import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp() {
    // Pages that were read once can be read again without a network.
    if (import.meta.env.PROD && !import.meta.env.SSR && 'serviceWorker' in navigator) {
      navigator.serviceWorker.register(`${import.meta.env.BASE_URL}service-worker.js`);
    }
  },
} satisfies Theme;
