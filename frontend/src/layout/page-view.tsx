import type { Page } from '../content/model.ts';
import { Hero } from '../sections/hero.tsx';
import { BackToTop } from './back-to-top.tsx';
import { CookieBanner } from './cookie-banner.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { SectionView } from './section-view.tsx';

export interface PageViewProps {
  readonly page: Page;
  /** Read out by screen readers after a navigation. */
  readonly announcement?: string;
}

/** A page inside the shared chrome. */
export const PageView = ({ page, announcement = '' }: PageViewProps) => (
  <>
    <a className="skip-link" href="#content">
      Skip to content
    </a>
    <CookieBanner />
    <Header />
    <main id="content" key={page.path} className={`hue-${page.hue}`}>
      <Hero hero={page.hero} />
      {page.sections.map((section, index) => (
        <SectionView key={index} section={section} />
      ))}
    </main>
    <Footer />
    <BackToTop />
    <p className="visually-hidden" role="status">
      {announcement}
    </p>
  </>
);
