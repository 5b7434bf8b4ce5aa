/** Returns how a source file becomes a native ES module that Jest runs; types are `tsc`'s business. */
export const compile = (parser, transform) => ({
  '^.+\\.tsx?$': [
    '@swc/jest',
    {
      jsc: {
        parser: { syntax: 'typescript', ...parser },
        target: 'es2023',
        experimental: { keepImportAttributes: true },
        transform,
      },
      module: { type: 'es6' },
    },
  ],
});

export const transform = compile({ decorators: true }, { legacyDecorator: true, decoratorMetadata: true });

const shared = {
  rootDir: import.meta.dirname,
  transform,
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironment: '<rootDir>/test/environment.js',
  setupFiles: ['reflect-metadata'],
  restoreMocks: true,
};

/** The root's jest.config.js has the settings of a whole run. @type {import('jest').Config} */
export default {
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
};
