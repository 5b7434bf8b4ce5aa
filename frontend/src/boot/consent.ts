/** Milliseconds from load until the banner appears or analytics begins, and until the banner is gone again after a choice (spec 9). */
const SHOW_DELAY_MS = 1000;
const HIDE_MS = 300;

/** Values of the root element's `data-consent`, which the banner's styles follow. */
type BannerState = 'ask' | 'leaving';

/**
 * The cookie banner's behaviour (spec 4): asks when no choice is stored, stores the choice and its time, and loads the
 * operator's analytics script only after "accepted". A browser without storage is asked each time and not tracked.
 *
 * @param key local storage key of the choice; its time is under the same key plus `_date`
 * @param analyticsUrl script to load after consent, or '' for none
 */
export function startConsent(key: string, analyticsUrl: string): void {
  const root = document.documentElement;
  const show = (state: BannerState) => {
    root.dataset.consent = state;
  };

  // Asked only now: the first look into the storage holds the page up, by as much as a tenth of the first paint.
  setTimeout(() => {
    const stored = read(key);
    if (!stored) show('ask');
    if (stored === 'accepted') track(analyticsUrl);
  }, SHOW_DELAY_MS);

  document.addEventListener('click', ({ target }) => {
    const choice = (target as Element).closest<HTMLElement>('[data-consent-choice]')?.dataset.consentChoice;
    // One choice a banner: a second press while it leaves counts for nothing.
    if (choice === undefined || root.dataset.consent !== 'ask') return;
    // The close button's choice is empty: it hides the banner and stores nothing.
    if (choice) write(key, choice);
    if (choice === 'accepted') track(analyticsUrl);
    show('leaving');
    setTimeout(() => delete root.dataset.consent, HIDE_MS);
  });
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
  if (!analyticsUrl) return;
  const script = document.createElement('script');
  script.src = analyticsUrl;
  script.async = true;
  document.head.append(script);
}
