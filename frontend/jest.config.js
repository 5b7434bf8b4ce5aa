import { compile } from '../form-service/jest.config.js';

const shared = {
  rootDir: import.meta.dirname,
  transform: compile({ tsx: true }, { react: { runtime: 'automatic' } }),
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
