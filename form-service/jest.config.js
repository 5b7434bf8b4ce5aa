/** How a source file becomes a native ES module that Jest runs; types are `tsc`'s business. */
export const transform = {
  '^.+\\.ts$': [
    '@swc/jest',
    {
      jsc: {
        parser: { syntax: 'typescript', decorators: true },
        target: 'es2022',
        experimental: { keepImportAttributes: true },
        transform: { legacyDecorator: true, decoratorMetadata: true },
      },
      module: { type: 'es6' },
    },
  ],
};

const shared = {
  rootDir: import.meta.dirname,
  transform,
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironment: '<rootDir>/test/environment.js',
  setupFiles: ['reflect-metadata'],
  restoreMocks: true,
};

/** @type {import('jest').Config} */
export default {
  maxWorkers: 2,
  // BullMQ's blocked read keeps a process for up to 6 s; what stays open for longer fails `npm test`.
  workerGracefulExitTimeout: 60_000,
  projects: [
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/{src,test}/**/*.test.ts'] },
    {
      ...shared,
      displayName: 'integration',
      globalSetup: '<rootDir>/test/integration-setup.ts',
      globalTeardown: '<rootDir>/test/integration-teardown.ts',
      testMatch: ['<rootDir>/{src,test}/**/*.integration.ts'],
    },
  ],
  testTimeout: 900_000,
};
