/** How a source file becomes a native ES module that Jest runs; types are `tsc`'s business. */
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
    '^virtual:content$': '<rootDir>/test/stand-ins/content.ts',
    '^virtual:icons$': '<rootDir>/test/stand-ins/icons.ts',
    '^virtual:images$': '<rootDir>/test/stand-ins/images.ts',
    'content/images/.*\\.svg(?:\\?raw)?$': '<rootDir>/test/stand-ins/drawing.ts',
  },
  restoreMocks: true,
};

/** Tests of the files that a build writes. */
export const builtSite = (displayName, folder) => ({
  ...shared,
  displayName,
  testEnvironment: '<rootDir>/test/browser-environment.js',
  // What is tested runs in no browser: it is read as the files of the disk.
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'] },
  testMatch: [`<rootDir>/test/${folder}/**/*.test.ts`],
  globalSetup: '<rootDir>/test/build-site.js',
});

/** @type {import('jest').Config} */
export default {
  maxWorkers: 2,
  // A busy machine needs longer than Jest's half a second to end a process; what stays open is still named.
  workerGracefulExitTimeout: 60_000,
  projects: [
    {
      ...shared,
      displayName: 'source',
      setupFilesAfterEnv: ['<rootDir>/test/patience.js', '<rootDir>/test/scrolling.js'],
      testMatch: ['<rootDir>/src/**/*.test.{ts,tsx}', '<rootDir>/build/**/*.test.ts'],
    },
    builtSite('built site', 'site'),
  ],
  testTimeout: 60_000,
};
