import { whenShown } from './when-shown.ts';

/** Milliseconds from load until the banner appears or analytics begins, and until it is gone again after a choice. */
const SHOW_DELAY_MS = 1000;
const HIDE_MS = 300;

/** Values of the banner's `data-consent`, which its styles follow. */
type BannerState = 'ask' | 'leaving';

/**
 * The cookie banner's behaviour: asks when no choice is stored, stores the choice and its time, and loads the operator's
 * analytics script only after "accepted". A browser without storage is asked each time and not tracked. The footer's
 * "Cookie settings" asks again; another choice counts from the next page on. The banner's `data-consent-key` is the local
 * storage key of the choice, whose time is under the same key plus `_date`; its `data-analytics-url` is the script to load
 * after consent, if there is any.
 */
export function startConsent(): void {
  const banner = document.querySelector<HTMLElement>('[data-consent-key]');
  if (!banner) return;
  const { consentKey: key = '', analyticsUrl = '' } = banner.dataset;
  const show = (state: BannerState) => {
    banner.dataset.consent = state;
  };
  /** The button that asked again, which has the focus back when that is answered. */
  let settings: HTMLElement | null = null;

  whenShown(() => {
    // Asked only now: the first look into the storage holds the page up, by as much as a tenth of the first paint.
    setTimeout(() => {
      const stored = read(key);
      if (!stored) {
        show('ask');
        uncoverFocus();
      }
      if (stored === 'accepted') track(analyticsUrl);
    }, SHOW_DELAY_MS);
  });

  // A page that comes back as it was left does not ask what was answered meanwhile.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && read(key)) delete banner.dataset.consent;
  });

  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('[data-consent-choice]');
    const choice = button?.dataset.consentChoice;
    if (choice === 'ask') {
      settings = button;
      show('ask');
      banner.querySelector<HTMLElement>('[data-consent-choice]')?.focus();
    }
    // One choice a banner: a second press while it leaves counts for nothing.
    else if (choice !== undefined && banner.dataset.consent === 'ask') {
      // The close button's choice is empty: it hides the banner and stores nothing.
      if (choice) write(key, choice);
      if (choice === 'accepted') track(analyticsUrl);
      show('leaving');
      setTimeout(() => {
        if (banner.dataset.consent === 'leaving') delete banner.dataset.consent;
      }, HIDE_MS);
      settings?.focus();
      settings = null;
    }
  });
}

/** Moves what has the focus out from under the banner; the page's `scroll-padding` says where that ends. */
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
    // Storage is switched off: the choice holds for this page only.
  }
}

function track(analyticsUrl: string): void {
  if (!analyticsUrl || document.querySelector('script[data-analytics]')) return;
  const script = document.createElement('script');
  script.src = analyticsUrl;
  script.async = true;
  script.dataset.analytics = '';
  document.head.append(script);
}
