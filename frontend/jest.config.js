/** Compiles sources to native ES modules. Types are checked by `tsc`. */
const transform = {
  '^.+\\.tsx?$': [
    '@swc/jest',
    {
      jsc: {
        parser: { syntax: 'typescript', tsx: true },
        target: 'es2023',
        experimental: { keepImportAttributes: true },
        transform: { react: { runtime: 'automatic' } },
      },
      module: { type: 'es6' },
    },
  ],
};

const shared = {
  rootDir: import.meta.dirname,
  transform,
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: {
    '^virtual:content$': '<rootDir>/test/mocks/content.ts',
    '^virtual:icons$': '<rootDir>/test/mocks/icons.ts',
    '^virtual:images$': '<rootDir>/test/mocks/images.ts',
  },
  restoreMocks: true,
};

/** Tests of the files that a build writes. */
const builtSite = (displayName, folder) => ({
  ...shared,
  displayName,
  testEnvironment: '<rootDir>/test/browser-environment.js',
  // The tests read files and run no browser code.
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'] },
  testMatch: [`<rootDir>/test/${folder}/**/*.test.ts`],
  globalSetup: '<rootDir>/test/build-site.ts',
});

/** @type {import('jest').Config} */
export default {
  maxWorkers: 2,
  // A busy machine needs more than Jest's half a second to end a process. Open handles are still reported.
  workerGracefulExitTimeout: 60_000,
  projects: [
    {
      ...shared,
      displayName: 'source',
      setupFilesAfterEnv: ['<rootDir>/test/scrolling.js'],
      testMatch: ['<rootDir>/src/**/*.test.{ts,tsx}', '<rootDir>/builder/**/*.test.ts'],
    },
    builtSite('built site', 'site'),
    // The specification, which the built site is compared with.
    builtSite('acceptance', 'acceptance'),
  ],
  testTimeout: 60_000,
};
