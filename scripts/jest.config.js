/** Unit tests of the checks. Types are checked by `tsc`. @type {import('jest').Config} */
export default {
  displayName: 'scripts',
  testMatch: ['<rootDir>/**/*.test.ts'],
  // The limit only detects a hang.
  testTimeout: 240_000,
  restoreMocks: true,
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'es6' } },
    ],
  },
};
