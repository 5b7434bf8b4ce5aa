import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import type { Hero as HeroContent } from 'virtual:content';
import { Hero } from './hero.tsx';

/** Returns the opening tag of the heading. */
const draw = (hero: Partial<HeroContent>) =>
  /<h1[^>]*>/.exec(
    renderToStaticMarkup(
      <StaticRouter location="/">
        <Hero hero={{ heading: 'About us', lead: ['Who we are.'], ...hero }} />
      </StaticRouter>,
    ),
  )?.[0];

test('hero > is a poster > next to a drawing, if its heading has lines of its own', () => {
  expect(draw({ heading: 'Not\nFound', drawing: 'lost' })).toContain('text-poster');
  expect(draw({ heading: 'Not Found', drawing: 'lost' })).not.toContain('text-poster');
  expect(draw({ heading: 'Not\nFound' })).not.toContain('text-poster');
});
