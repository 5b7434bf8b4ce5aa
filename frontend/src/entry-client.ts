import { consent } from './content/company.ts';
import { startConsent } from './features/consent/consent.ts';
import { afterPaint } from './layout/after-paint.ts';
import { openAndCloseDialogs } from './layout/dialogs.ts';
import { loadDisplayFont } from './layout/display-font.ts';
import { closeMenus } from './layout/menus.ts';
import { trackScroll } from './layout/scroll-state.ts';

/**
 * The boot: all the script a page needs before a visitor touches it, inline in every page's head. Menus, questions,
 * dialogs and forms are plain HTML and work without it; React is loaded when the visitor does something, or after some idle seconds.
 */
document.documentElement.dataset.js = '';
loadDisplayFont();
trackScroll();
closeMenus();
openAndCloseDialogs();
startConsent(consent.key, consent.analyticsUrl);

/** Milliseconds after the page has loaded until React comes unasked. */
const IDLE_MS = 8000;
const FIRST_INPUTS = ['pointerdown', 'pointerover', 'keydown', 'focusin', 'touchstart'];

/** The build puts the application's address here; a boot that is inline cannot import by a relative path. */
const APP_URL = import.meta.env.DEV ? '/src/app.tsx' : '__APP_URL__';

let loading: Promise<unknown> | undefined;
const loadApp = () => {
  for (const input of FIRST_INPUTS) removeEventListener(input, loadApp);
  loading ??= import(/* @vite-ignore */ APP_URL);
};

for (const input of FIRST_INPUTS) addEventListener(input, loadApp, { passive: true });

afterPaint(() => {
  // For the home screen alone. In the page's HTML it would be fetched before the first paint, and delay the largest one.
  document.head.append(Object.assign(document.createElement('link'), { rel: 'manifest', href: '/site.webmanifest' }));
  // A form reacts as the visitor types, so a page that shows one does not wait for the first touch.
  if (document.querySelector('form')?.checkVisibility()) loadApp();
  else setTimeout(loadApp, IDLE_MS);
});
