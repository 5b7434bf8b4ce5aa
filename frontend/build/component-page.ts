import { isRunnableDevEnvironment, type Plugin } from 'vite';
import type * as componentPage from '../src/dev/component-page.tsx';
import { document } from './document.ts';

const PATH = '/_components';

/** What the boot would set and do; the application stays away, because this address is no page of its own. */
const SCRIPT = `
  const { dataset } = document.documentElement;
  Object.assign(dataset, { js: '', font: '', consent: 'ask', pastFold: '' });
  document.querySelector('[aria-label="Cookie consent"]').onclick = () => delete dataset.consent;
  for (const opener of document.querySelectorAll('a[href="#application"]'))
    opener.onclick = () => (document.querySelector('#application').showModal(), false);`;

/** Serves every component in every state at /_components, in development only: the build never sees it. */
export const componentPageServer = (): Plugin => ({
  name: 'component-page',
  apply: 'serve',
  configureServer(server) {
    server.middlewares.use(PATH, async (_request, response, next) => {
      try {
        const environment = server.environments.ssr;
        if (!isRunnableDevEnvironment(environment)) throw new Error('the ssr environment cannot run modules');
        const { renderComponentPage } = (await environment.runner.import(
          '/src/dev/component-page.tsx',
        )) as typeof componentPage;
        const html = document({
          head: '<title>Components</title><meta name="robots" content="noindex">',
          body: renderComponentPage(),
          styles: '<link rel="stylesheet" href="/src/styles/app.css">',
          boot: `<script type="module">${SCRIPT}</script>`,
        });
        response.setHeader('Content-Type', 'text/html; charset=utf-8');
        response.end(await server.transformIndexHtml(PATH, html));
      } catch (error) {
        next(error);
      }
    });
  },
});
