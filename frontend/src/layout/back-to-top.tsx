import { iconButton } from '../components/ui/actions.tsx';
import { Icon } from '../components/ui/icon.tsx';
import { wording } from 'virtual:content';

/**
 * Button that the boot script shows once the page is scrolled by more than one viewport height, and that scrolls to the
 * top.
 */
export const BackToTop = () => (
  <button
    className={`${iconButton} invisible fixed right-4 bottom-4 z-30 [translate:0_0.5rem] bg-ink text-paper opacity-0 eased hover:bg-signal hover:text-on-signal data-shown:visible data-shown:[translate:0] data-shown:opacity-100 low:hidden [:has([data-consent=ask])_&]:bottom-32`}
    type="button"
    aria-label={wording.frame.backToTop}
    data-back-to-top
  >
    <Icon name="arrow-up" />
  </button>
);
