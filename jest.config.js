import service from './form-service/jest.config.js';
import site from './frontend/jest.config.js';
import scripts from './scripts/jest.config.js';

// Tests are ES modules. Workers get the flag from here, so that `npx jest FILE` needs none.
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`;

/** All tests of Jest in one run: `npx jest --selectProjects unit`, `npx jest --onlyChanged`. @type {import('jest').Config} */
export default {
  // Integration tests mostly wait for servers.
  maxWorkers: 5,
  // Keeps also a single file out of this process, which has no such flag.
  workerIdleMemoryLimit: '8GB',
  // BullMQ's blocked read keeps a process for up to 6 s. Open handles are still reported.
  workerGracefulExitTimeout: 60_000,
  projects: [...service.projects, ...site.projects, { ...scripts, rootDir: `${import.meta.dirname}/scripts` }],
  // The limit only detects a hang.
  testTimeout: 240_000,
};
