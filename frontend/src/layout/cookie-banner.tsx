import { button, iconButton } from '../components/ui/actions.tsx';
import { consent, wording } from 'virtual:content';
import { escapeHtml } from '../components/ui/escape-html.ts';
import { Icon } from '../components/ui/icon.tsx';

const words = wording.consent;
/** Words of many letters take three lines in a wider banner, and on a phone a row of their own. */
const isLong = [words.question, words.privacy, words.accept, words.decline].join('').length > 55;
const CHOICE = `${button.secondary} min-h-11 grow px-2 py-1 text-sm wrap-normal`;

/**
 * The operator's analytics script. Settings after # in its address become data attributes, such as `data-website-id`.
 */
export function analyticsScript(url: string): string {
  const [src = '', names] = url.split('#');
  const data = [...new URLSearchParams(names)].map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`);
  return `<script async src="${escapeHtml(src)}"${data.join('')}></script>`;
}

/**
 * Consent banner. It is in every page's HTML, early in the tab order, and hidden until `boot/consent.ts` asks for
 * consent through `data-consent` and handles its buttons. It is one row at the bottom edge: on a phone
 * below the buttons of the first screen, on a wide screen at the right, where heroes have their picture.
 */
export const CookieBanner = () => (
  <div aria-live="polite">
    <section
      className={`fixed right-0 bottom-0 z-30 hidden flex-wrap items-center gap-1 border border-edge bg-surface py-0.5 pr-1 pl-4 elevation-float eased duration-300 data-consent:flex data-[consent=ask]:animate-rise data-[consent=leaving]:[translate:0_1rem] data-[consent=leaving]:opacity-0 max-md:left-0 md:m-2 ${isLong ? 'md:w-136' : 'md:w-104'} md:rounded-md low:absolute low:top-19 low:bottom-auto`}
      aria-label={words.name}
      data-consent-key={consent.key}
    >
      <p className={`text-sm leading-tight ${isLong ? 'py-2 max-md:w-full md:flex-[9_1_4rem]' : 'flex-[9_1_4rem]'}`}>
        {`${words.question} `}
        <a href="/privacy">{words.privacy}</a>
      </p>
      <button className={CHOICE} type="button" data-consent-choice="accepted">
        {words.accept}
      </button>
      <button className={CHOICE} type="button" data-consent-choice="declined">
        {words.decline}
      </button>
      <button className={iconButton} type="button" data-consent-choice="" aria-label={words.close}>
        <Icon name="x" />
      </button>
    </section>
    {/* A template keeps the script from running. React would move it into the head, and run it. */}
    {consent.analyticsUrl && (
      <template data-analytics dangerouslySetInnerHTML={{ __html: analyticsScript(consent.analyticsUrl) }} />
    )}
  </div>
);
