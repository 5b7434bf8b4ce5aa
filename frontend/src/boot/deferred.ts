import { startConsent } from './consent.ts';
import { openAndCloseDialogs } from './dialogs.ts';
import { loadIslands } from './islands.ts';

/**
 * The rest of a page's script, fetched after the first paint. Until then, and where it cannot be had, dialogs and forms
 * are plain HTML, which works; React comes to the two forms alone, when they are touched.
 */
document.documentElement.dataset.js = '';
openAndCloseDialogs();
loadIslands();
const { consentKey = '', analyticsUrl = '' } = document.querySelector<HTMLElement>('[data-consent-key]')?.dataset ?? {};
startConsent(consentKey, analyticsUrl);

// For the home screen alone. In the page's HTML it would be fetched before the first paint, and delay the largest one.
document.head.append(Object.assign(document.createElement('link'), { rel: 'manifest', href: '/site.webmanifest' }));
