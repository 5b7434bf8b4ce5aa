import { button, iconButton } from '../components/ui/actions.tsx';
import { Icon } from '../components/ui/icon.tsx';

const CHOICE = `${button.secondary} min-h-11 flex-1 px-4 py-1 wrap-normal md:flex-none`;

/**
 * The consent banner. It is in every page's HTML, early in its tab order, and hidden until the boot asks for consent
 * by setting `data-consent` on the root element; the boot also acts on its buttons (`boot/consent.ts`).
 */
export const CookieBanner = () => (
  <div aria-live="polite">
    <section
      className="fixed inset-x-2 bottom-2 z-50 mx-auto hidden max-w-184 flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-line bg-surface px-3 py-2.5 elevation-float eased duration-300 in-data-consent:flex in-data-[consent=ask]:animate-rise in-data-[consent=leaving]:[translate:0_1rem] in-data-[consent=leaving]:opacity-0"
      aria-label="Cookie consent"
    >
      <p className="flex-[1_0_100%] text-sm leading-snug md:flex-1">
        We track nothing without your consent. Read our <a href="/privacy">privacy policy</a>.
      </p>
      <button className={CHOICE} type="button" data-consent-choice="accepted">
        Accept
      </button>
      <button className={CHOICE} type="button" data-consent-choice="declined">
        Decline
      </button>
      <button className={iconButton} type="button" data-consent-choice="" aria-label="Close">
        <Icon name="x" />
      </button>
    </section>
  </div>
);
