import { Outlet } from 'react-router-dom';
import { wording } from 'virtual:content';
import { iconButton } from '../components/ui/actions.tsx';
import { Icon } from '../components/ui/icon.tsx';
import { CookieBanner } from '../layout/cookie-banner.tsx';
import { Footer } from '../layout/footer.tsx';
import { Header } from '../layout/header.tsx';

/** Frame of every page: mark of its top (boot/scroll-state.ts), skip link, cookie banner, header, footer and the button to the top. */
export const Layout = () => (
  <>
    <div className="absolute top-0" data-top="" />
    <a
      className="fixed top-2 left-2 z-60 [translate:0_-200%] bg-ink px-4 py-3 text-paper focus:[translate:0]"
      href="#site-content"
    >
      {wording.frame.skip}
    </a>
    <CookieBanner />
    <Header />
    <Outlet />
    <Footer />
    {/* The boot script shows it once the page is scrolled by more than the height of the window. */}
    <button
      className={`${iconButton} invisible fixed right-4 bottom-4 z-30 [translate:0_0.5rem] bg-ink text-paper opacity-0 eased hover:bg-signal hover:text-on-signal data-shown:visible data-shown:[translate:0] data-shown:opacity-100 low:hidden [:has([data-consent=ask])_&]:bottom-32`}
      type="button"
      aria-label={wording.frame.backToTop}
      data-back-to-top
    >
      <Icon name="arrow-up" />
    </button>
  </>
);
