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

/** @type {import('jest').Config} */
export default {
  projects: [
    {
      ...shared,
      displayName: 'source',
      setupFilesAfterEnv: ['<rootDir>/test/scrolling.js'],
      testMatch: ['<rootDir>/src/**/*.test.{ts,tsx}', '<rootDir>/builder/**/*.test.ts'],
    },
    // Tests of the files that a build writes, and of the words that were specified.
    {
      ...shared,
      displayName: 'built site',
      testEnvironment: '<rootDir>/test/browser-environment.js',
      // The tests read files and run no browser code.
      testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'] },
      testMatch: ['<rootDir>/test/{site,acceptance}/**/*.test.ts'],
      globalSetup: '<rootDir>/test/build-site.ts',
    },
  ],
};
