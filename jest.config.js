import service from './form-service/jest.config.js';
import site from './frontend/jest.config.js';
import scripts from './scripts/jest.config.js';

/** All tests of Jest in one run: `npx jest --selectProjects unit`, `npx jest --onlyChanged`. @type {import('jest').Config} */
export default {
  // Integration tests mostly wait for servers.
  maxWorkers: 5,
  // BullMQ's blocked read keeps a process for up to 6 s. Open handles are still reported.
  workerGracefulExitTimeout: 60_000,
  projects: [
    ...service.projects.filter(({ displayName }) => displayName !== 'mail-servers'),
    ...site.projects,
    { ...scripts, rootDir: `${import.meta.dirname}/scripts` },
  ],
  testTimeout: 240_000,
};
