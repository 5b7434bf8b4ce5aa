import { chooseService } from './chosen-service.ts';
import { startConsent } from './consent.ts';
import { openAndCloseDialogs } from './dialogs.ts';
import { loadIslands } from './islands.ts';
import { closeMenus } from './menus.ts';
import { trackScroll } from './scroll-state.ts';

/**
 * The rest of a page's script, fetched after the first paint. Until then, and where it cannot be had, menus, dialogs and
 * forms are plain HTML, which works; React comes to the two forms alone, when they are touched.
 */
trackScroll();
closeMenus();
openAndCloseDialogs();
chooseService();
loadIslands();
startConsent();

// For the home screen alone. In the page's HTML it would be fetched before the first paint, and delay the largest one.
document.head.append(Object.assign(document.createElement('link'), { rel: 'manifest', href: '/site.webmanifest' }));
