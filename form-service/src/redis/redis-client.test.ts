import { describe, expect, it } from '@jest/globals';
import { createRedisClient, rejectionOf } from './redis-client.ts';

const reply = (message: string) => Object.assign(new Error(message), { name: 'ReplyError' });

describe('rejectionOf', () => {
  it.each([
    ["OOM command not allowed when used memory > 'maxmemory'.", 'OOM'],
    ["READONLY You can't write against a read only replica. script: 1f, on @user_script:1.", 'READONLY'],
    ["ERR Error running script (call to f_1f): @user_script:1: -READONLY You can't write.", 'READONLY'],
    ["MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", 'MASTERDOWN'],
    ['NOREPLICAS Not enough good replicas to write.', 'NOREPLICAS'],
    ['MISCONF Redis is configured to save RDB snapshots, but is unable to persist on disk.', 'MISCONF'],
    ['LOADING Redis is loading the dataset in memory', 'LOADING'],
    ['NOAUTH HELLO must be called with the client already authenticated.', 'NOAUTH'],
    ['WRONGPASS invalid username-password pair or user is disabled.', 'WRONGPASS'],
    ["NOPERM User ada has no permissions to run the 'set' command", 'NOPERM'],
    ["ERR The user executing the script can't run this command or subcommand", 'NOPERM'],
    ["ERR unknown command 'ada'", 'ERR'],
  ])('names the code and no value > %s', (message, code) => {
    const fault = rejectionOf(reply(message));
    expect(fault).toBe(`rejects commands (${code})`);
  });

  it('returns nothing > the error is not a reply', () => {
    expect(rejectionOf(new Error('connect ECONNREFUSED'))).toBeUndefined();
  });
});

it.each([
  ["READONLY You can't write against a read only replica.", true],
  ['OOM command not allowed', false],
])('createRedisClient > ends a connection to a server that was demoted > %s', (message, isEnded) => {
  const { options } = createRedisClient({ REDIS_URL: 'redis://127.0.0.1:1' }, { lazyConnect: true });
  expect(options.reconnectOnError?.(reply(message))).toBe(isEnded);
});
