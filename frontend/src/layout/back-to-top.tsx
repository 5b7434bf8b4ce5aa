import { Icon } from '../components/ui/icon.tsx';

/** Shown by CSS while the boot marks the page as scrolled by more than one viewport height; the boot scrolls. */
export const BackToTop = () => (
  <button className="back-to-top icon-button" type="button" aria-label="Back to top">
    <Icon name="arrow-up" />
  </button>
);
