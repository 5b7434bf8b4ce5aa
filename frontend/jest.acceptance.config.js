import { builtSite } from './jest.config.js';

/** Checks the built site against the specification (`npm run acceptance`, not part of `npm test`). */
export default { projects: [builtSite('acceptance', 'acceptance')], testTimeout: 60_000 };
