import config from './jest.config.js';

/** The unit tests alone, for Stryker, which knows no projects. @type {import('jest').Config} */
export default config.projects[0];
