import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { unavailableIn } from './probes.ts';

describe('unavailableIn', () => {
  it.each([
    [
      'a report',
      JSON.stringify({
        checks: {
          redis: { status: 'down', cause: 'does not answer', advice: 'Fix REDIS_URL' },
          backup: { status: 'degraded', cause: 'there is none yet' },
          storage: { status: 'ok' },
        },
      }),
      ['redis: does not answer. Fix REDIS_URL'],
    ],
    ['a page', '<p>', []],
  ])('names what keeps a process waiting, and no advice for later > %s', async (_what, body, expected) => {
    const server = createServer((_, response) => void response.writeHead(503).end(body)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    expect(await unavailableIn(url)).toEqual(expected);
    server.close();
    await once(server, 'close');
    expect(await unavailableIn(url)).toEqual([]);
  });
});
