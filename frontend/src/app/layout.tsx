import { Outlet } from 'react-router-dom';
import { BackToTop } from '../layout/back-to-top.tsx';
import { CookieBanner } from '../layout/cookie-banner.tsx';
import { Footer } from '../layout/footer.tsx';
import { Header } from '../layout/header.tsx';

/** What every page has round its content. */
export const Layout = () => (
  <>
    <a
      className="fixed top-2 left-2 z-60 [translate:0_-200%] bg-ink px-4 py-3 text-paper focus:[translate:0]"
      href="#content"
    >
      Skip to content
    </a>
    <CookieBanner />
    <Header />
    <Outlet />
    <Footer />
    <BackToTop />
  </>
);
