import { whenShown } from './when-shown.ts';

/**
 * Milliseconds from load until the banner appears or analytics begins, and from a choice until the banner is hidden.
 */
const SHOW_DELAY_MS = 1000;
const HIDE_MS = 300;

/**
 * The cookie banner's behaviour: asks when no choice is stored, stores the choice and its time, and loads the operator's
 * analytics script only after "accepted". A browser without storage is asked each time and not tracked. The footer's
 * "Cookie settings" asks again; another choice takes effect on the next page.
 *
 * `data-consent-key`: local storage key of the choice; the key with `_date` holds its time.
 * `data-analytics`: template with the script to load after consent, if there is any.
 */
export function startConsent(): void {
  const banner = document.querySelector<HTMLElement>('[data-consent-key]');
  if (!banner) return;
  const { consentKey: key = '' } = banner.dataset;
  /** Sets the state of the banner, which its styles follow. */
  const show = (state: 'ask' | 'leaving') => {
    banner.dataset.consent = state;
  };
  /** Button that opened the banner again; it gets the focus back after the choice. */
  let settings: HTMLElement | null = null;

  whenShown(() => {
    // Read this late because the first access to local storage blocks: up to a tenth of the time to first paint.
    setTimeout(() => {
      const stored = read(key);
      if (!stored) {
        show('ask');
        uncoverFocus();
      }
      if (stored === 'accepted') track();
    }, SHOW_DELAY_MS);
  });

  const hideIfAnswered = () => {
    if (read(key)) delete banner.dataset.consent;
  };
  // The visitor may answer in another tab, or on another page before coming back to this one (bfcache).
  addEventListener('storage', (event) => event.key === key && hideIfAnswered());
  addEventListener('pageshow', ({ persisted }) => persisted && hideIfAnswered());

  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('[data-consent-choice]');
    const choice = button?.dataset.consentChoice;
    if (choice === 'ask') {
      settings = button;
      show('ask');
      banner.querySelector<HTMLElement>('[data-consent-choice]')?.focus();
    }
    // A second click while the banner leaves is ignored.
    else if (choice !== undefined && banner.dataset.consent === 'ask') {
      // The close button's choice is empty: it hides the banner and stores nothing.
      if (choice) write(key, choice);
      if (choice === 'accepted') track();
      show('leaving');
      setTimeout(() => {
        if (banner.dataset.consent === 'leaving') delete banner.dataset.consent;
      }, HIDE_MS);
      settings?.focus();
      settings = null;
    }
  });
}

/** Scrolls the focused element out from under the banner, by the page's `scroll-padding`. */
function uncoverFocus(): void {
  const { activeElement, body } = document;
  if (activeElement !== body) activeElement?.scrollIntoView({ block: 'nearest' });
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, choice: string): void {
  try {
    localStorage.setItem(key, choice);
    localStorage.setItem(`${key}_date`, new Date().toISOString());
  } catch {
    // Storage is disabled: the choice holds for this page only.
  }
}

/** Runs the operator's script by moving it out of its template, which works once. */
function track(): void {
  const template = document.querySelector<HTMLTemplateElement>('[data-analytics]');
  if (template) document.head.append(template.content);
}
