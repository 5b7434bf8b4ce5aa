import { transform } from '../form-service/jest.config.js';

/** Unit tests of the scripts and benchmarks. Types are checked by `tsc`. @type {import('jest').Config} */
export default {
  displayName: 'scripts',
  roots: ['<rootDir>', '<rootDir>/../bench'],
  testMatch: ['**/*.test.ts'],
  restoreMocks: true,
  extensionsToTreatAsEsm: ['.ts'],
  transform,
};
