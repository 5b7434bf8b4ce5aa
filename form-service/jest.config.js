/** How a source file becomes a native ES module that Jest runs; types are `tsc`'s business. */
const transform = {
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
  setupFiles: ['reflect-metadata'],
  restoreMocks: true,
};

/** @type {import('jest').Config} */
export default {
  maxWorkers: 2,
  // A busy machine needs longer than Jest's half a second to end a process; what stays open is still named.
  workerGracefulExitTimeout: 60_000,
  globalSetup: './test/service-build.ts',
  projects: [
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/src/**/*.test.ts'] },
    { ...shared, displayName: 'integration', testMatch: ['<rootDir>/src/**/*.integration.ts'] },
    { ...shared, displayName: 'mail-servers', testMatch: ['<rootDir>/test/mail-servers/*.integration.ts'] },
  ],
  testTimeout: 240_000,
};
