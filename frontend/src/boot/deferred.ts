import { chooseService } from './chosen-service.ts';
import { startConsent } from './consent.ts';
import { openAndCloseDialogs } from './dialogs.ts';
import { holdString } from './hold-string.ts';
import { loadIslands } from './load-islands.ts';
import { closeMenus } from './menus.ts';
import { calmBar, trackScroll } from './scroll-state.ts';

/**
 * Rest of a page's script, fetched after the first paint. Until then, and if it cannot be loaded, menus, dialogs and
 * forms work as plain HTML (progressive enhancement). React is loaded for the two forms only, when a visitor touches
 * them.
 */
if (HAS_KITES) holdString();
trackScroll();
calmBar();
closeMenus();
openAndCloseDialogs();
chooseService();
loadIslands();
startConsent();
// The sheet for paper. Fetched before the paint, it would delay it, whatever its priority.
document.querySelector('link[media=print]')?.removeAttribute('disabled');

// For tests, which use a page once its script has run.
document.documentElement.dataset.script = '';
