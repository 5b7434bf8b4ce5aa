import { company } from './content/company.ts';
import { startConsent } from './features/consent/consent.ts';
import { closeMenus } from './layout/menus.ts';
import { trackScroll } from './layout/scroll-state.ts';

/**
 * The boot: all the script a page needs before a visitor touches it, inline in every page. Menus, questions and forms
 * are plain HTML and work without it; React is loaded when the visitor does something, or after some idle seconds.
 */
document.documentElement.dataset.js = '';
trackScroll();
closeMenus();
startConsent(company.consentKey, company.analyticsUrl);

/** Milliseconds after the page has loaded until React comes unasked. */
const IDLE_MS = 8000;
const FIRST_INPUTS = ['pointerdown', 'pointerover', 'keydown', 'focusin', 'touchstart'];

let loading: Promise<unknown> | undefined;
const loadApp = () => {
  for (const input of FIRST_INPUTS) removeEventListener(input, loadApp);
  loading ??= import('./app.tsx');
};

for (const input of FIRST_INPUTS) addEventListener(input, loadApp, { passive: true });

const whenLoaded = () => {
  // A form reacts as the visitor types, so a page with one does not wait for the first touch.
  if (document.querySelector('form')) requestAnimationFrame(() => setTimeout(loadApp));
  else setTimeout(loadApp, IDLE_MS);
};
if (document.readyState === 'complete') whenLoaded();
else addEventListener('load', whenLoaded, { once: true });
