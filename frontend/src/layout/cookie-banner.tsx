import { button, iconButton } from '../components/ui/actions.tsx';
import { consent } from 'virtual:content';
import { Icon } from '../components/ui/icon.tsx';

const CHOICE = `${button.secondary} min-h-9 flex-1 px-4 py-1 text-sm wrap-normal`;

/**
 * The consent banner. It is in every page's HTML, early in its tab order, and hidden until the script asks for
 * consent by its `data-consent`, and acts on its buttons (`boot/consent.ts`). It stands right below the top bar, where the
 * heroes have a picture or no more than a kicker, and under the bar's open menus.
 */
export const CookieBanner = () => (
  <div aria-live="polite">
    <section
      className="fixed inset-x-2 top-19 z-30 ml-auto hidden flex-wrap items-center gap-x-2 gap-y-1 rounded-md border border-edge bg-surface px-3 py-1.5 elevation-float eased duration-300 data-consent:flex data-[consent=ask]:animate-rise data-[consent=leaving]:[translate:0_-1rem] data-[consent=leaving]:opacity-0 md:max-w-84 md:px-4 md:py-3 low:absolute"
      aria-label="Cookie consent"
      data-consent-key={consent.key}
      data-analytics-url={consent.analyticsUrl || undefined}
    >
      <p className="w-full text-sm leading-tight">
        We measure only if you accept. <a href="/privacy">Privacy</a>
      </p>
      <button className={CHOICE} type="button" data-consent-choice="accepted">
        Accept
      </button>
      <button className={CHOICE} type="button" data-consent-choice="declined">
        Decline
      </button>
      <button className={`${iconButton} h-9`} type="button" data-consent-choice="" aria-label="Close">
        <Icon name="x" />
      </button>
    </section>
  </div>
);
