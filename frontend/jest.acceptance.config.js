import { builtSite } from './jest.config.js';

/** What the product was ordered with, looked for on the built site; `npm run acceptance` runs it, and `npm test` does not. */
export default { projects: [builtSite('acceptance', 'acceptance')], testTimeout: 60_000 };
