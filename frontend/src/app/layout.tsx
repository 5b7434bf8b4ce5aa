import { Outlet } from 'react-router-dom';
import { wording } from 'virtual:content';
import { BackToTop } from '../layout/back-to-top.tsx';
import { CookieBanner } from '../layout/cookie-banner.tsx';
import { Footer } from '../layout/footer.tsx';
import { Header } from '../layout/header.tsx';

/** Frame of every page: mark of its top (boot/scroll-state.ts), skip link, cookie banner, header and footer. */
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
    <BackToTop />
  </>
);
