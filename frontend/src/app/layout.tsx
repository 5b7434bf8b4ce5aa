import { Outlet } from 'react-router-dom';
import { BackToTop } from '../layout/back-to-top.tsx';
import { CookieBanner } from '../layout/cookie-banner.tsx';
import { Footer } from '../layout/footer.tsx';
import { Header } from '../layout/header.tsx';

/** What every page has round its content. */
export const Layout = () => (
  <>
    <a className="skip-link" href="#content">
      Skip to content
    </a>
    <CookieBanner />
    <Header />
    <Outlet />
    <Footer />
    <BackToTop />
  </>
);
