import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { reportLimit } from './watch-files.ts';

const failure = (code: string) => Object.assign(new Error(code), { code });

/** Returns what a watcher reports, and makes it fail. */
function watched() {
  const [watcher, reported] = [new EventEmitter(), [] as string[]];
  reportLimit(watcher as never, (message) => reported.push(message));
  return { reported, fail: (code: string) => watcher.emit('error', failure(code)) };
}

test('watchFiles > reports the limit of watches once, and goes on', () => {
  const { reported, fail } = watched();
  for (const code of ['ENOSPC', 'ENOSPC', 'EMFILE']) fail(code);
  expect(reported).toEqual([expect.stringContaining('fs.inotify.max_user_watches')]);
});

test('watchFiles > hides no other error', () => {
  const { reported, fail } = watched();
  expect(() => fail('EIO')).toThrow('EIO');
  expect(reported).toEqual([]);
});
