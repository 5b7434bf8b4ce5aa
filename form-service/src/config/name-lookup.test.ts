import { describe, expect, it, jest } from '@jest/globals';
import type { LookupFunction } from 'node:net';
import { LOOKUP_MS, lookedUp, withLookup } from './name-lookup.ts';

const FOUND = [
  { address: '192.0.2.1', family: 4 },
  { address: '2001:db8::1', family: 6 },
];

/** A name server that answers after this time. */
const answeringAfter =
  (ms: number, error: Error | null = null): LookupFunction =>
  (_name, _options, callback) =>
    void setTimeout(() => callback(error as never, FOUND), ms);

const inTime = async (lookup: LookupFunction) => {
  jest.useFakeTimers();
  const result = lookedUp('db.example', lookup).then(
    (found) => found,
    (error: NodeJS.ErrnoException) => error.code,
  );
  await jest.advanceTimersByTimeAsync(LOOKUP_MS + 1);
  jest.useRealTimers();
  return result;
};

describe('lookedUp', () => {
  it('gives all addresses, or the first, to the connection > the second name server answered', async () => {
    const lookup = (await inTime(answeringAfter(5_050))) as LookupFunction;
    const given: unknown[] = [];
    lookup('db.example', { all: true }, (...all) => given.push(all));
    lookup('db.example', {}, (...one) => given.push(one));
    expect(given).toEqual([
      [null, FOUND],
      [null, '192.0.2.1', 4],
    ]);
  });

  it('says that the name servers are slow > none answers in time', async () => {
    expect(await inTime(answeringAfter(LOOKUP_MS + 5))).toBe('ENAMESERVER');
  });

  it('passes on the error of the lookup', async () => {
    const unknown = Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
    expect(await inTime(answeringAfter(1, unknown))).toBe('ENOTFOUND');
  });

  it.each(['192.0.2.1', '[2001:db8::1]', '/var/run/postgresql'])('looks nothing up > %s', async (host) => {
    const resolve = jest.fn<LookupFunction>();
    await lookedUp(host, resolve);
    expect(resolve).not.toHaveBeenCalled();
  });
});

it('withLookup > adds the time of a lookup > the host is a name', () => {
  expect(['redis', '127.0.0.1', '[::1]'].map((host) => withLookup(5_000, host))).toEqual([20_000, 5_000, 5_000]);
});
