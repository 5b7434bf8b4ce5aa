import { consent } from 'virtual:content';
import { afterPaint } from './after-paint.ts';
import { startConsent } from './consent.ts';
import { openAndCloseDialogs } from './dialogs.ts';
import { loadDisplayFont } from './display-font.ts';
import { loadIslands } from './islands.ts';
import { closeMenus } from './menus.ts';
import { trackScroll } from './scroll-state.ts';

/**
 * The boot: all the script of a page, inline in its head. Menus, questions, dialogs and forms are plain HTML and work
 * without it; React comes to the two forms alone, when they are touched.
 */
document.documentElement.dataset.js = '';
loadDisplayFont();
trackScroll();
closeMenus();
openAndCloseDialogs();
loadIslands();
startConsent(consent.key, consent.analyticsUrl);

afterPaint(() => {
  // For the home screen alone. In the page's HTML it would be fetched before the first paint, and delay the largest one.
  const manifest = Object.assign(document.createElement('link'), { rel: 'manifest', href: '/site.webmanifest' });
  document.head.append(manifest);
});
