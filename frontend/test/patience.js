import { configure } from '@testing-library/dom';

/** What a test waits for comes as soon as the machine gets to it: a limit here ends only what never comes. */
configure({ asyncUtilTimeout: 30_000 });
