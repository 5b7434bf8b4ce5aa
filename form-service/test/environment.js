import { TestEnvironment } from 'jest-environment-node';

/** Pause between two looks whether Jest still runs. */
const LOOK_MS = 500;

// A worker process, and with it the servers that it started, ends when Jest is killed. Not in a setup file: tests get a copy
// of `process`. Not by the event `disconnect`: its listener would keep the process alive at a normal end.
const jest = process.ppid;
if (process.send) setInterval(() => process.ppid !== jest && process.exit(), LOOK_MS).unref();

export default class extends TestEnvironment {
  /** Marks the error of a failed setup: Jest reports it for each test of the group, as if they had run. */
  handleTestEvent({ name, hook, error }) {
    if (name !== 'hook_failure' || hook.type !== 'beforeAll' || typeof error?.stack !== 'string') return;
    error.stack = `Setup failed: ${error.stack}`;
  }
}
