import { configure } from '@testing-library/dom';

/** Generous, so that a slow machine does not fail a test. */
configure({ asyncUtilTimeout: 30_000 });
