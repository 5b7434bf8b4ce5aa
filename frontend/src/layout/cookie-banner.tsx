import { Icon } from '../components/ui/icon.tsx';

/**
 * The consent banner. It is in every page's HTML, early in its tab order, and hidden by CSS until the boot asks for consent
 * by setting `data-consent` on the root element; the boot also acts on its buttons (`boot/consent.ts`).
 */
export const CookieBanner = () => (
  <div aria-live="polite">
    <section className="cookie-banner" aria-label="Cookie consent">
      <p>
        We track nothing without your consent. Read our <a href="/privacy">privacy policy</a>.
      </p>
      <button className="button button--quiet" type="button" data-consent-choice="accepted">
        Accept
      </button>
      <button className="button button--quiet" type="button" data-consent-choice="declined">
        Decline
      </button>
      <button className="icon-button" type="button" data-consent-choice="" aria-label="Close">
        <Icon name="x" />
      </button>
    </section>
  </div>
);
