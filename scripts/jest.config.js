/** Unit tests of the scripts and benchmarks. Types are checked by `tsc`. @type {import('jest').Config} */
export default {
  displayName: 'scripts',
  roots: ['<rootDir>', '<rootDir>/../bench'],
  testMatch: ['**/*.test.ts'],
  // The limit only detects a hang.
  testTimeout: 240_000,
  restoreMocks: true,
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023', experimental: { keepImportAttributes: true } },
        module: { type: 'es6' },
      },
    ],
  },
};
