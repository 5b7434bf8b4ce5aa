import { iconButton } from '../components/ui/actions.tsx';
import { Icon } from '../components/ui/icon.tsx';

/** Shown by the boot once the page is scrolled by more than one viewport height; the boot scrolls. */
export const BackToTop = () => (
  <button
    className={`${iconButton} invisible fixed right-4 bottom-4 z-30 [translate:0_0.5rem] bg-ink text-paper opacity-0 eased hover:bg-signal hover:text-on-signal data-shown:visible data-shown:[translate:0] data-shown:opacity-100 low:hidden`}
    type="button"
    aria-label="Back to top"
    data-back-to-top
  >
    <Icon name="arrow-up" />
  </button>
);
