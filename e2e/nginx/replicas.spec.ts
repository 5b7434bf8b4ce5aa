import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { freePorts } from '../../scripts/stack/ports.ts';
import { expect, NginxServer, test } from './server.ts';

const ADDRESSES = ['127.0.0.1', '127.0.0.2'];

/** Sends requests to two apis and returns the statuses. An `undefined` handler refuses connections. */
async function requestFromBoth(
  handlers: readonly (((request: IncomingMessage, response: ServerResponse) => void) | undefined)[],
  times: number,
): Promise<readonly number[]> {
  const [port = 0] = await freePorts(1);
  const apis = await Promise.all(
    ADDRESSES.map(async (host, at) => {
      const handler = handlers[at];
      if (handler === undefined) return undefined;
      const api = createServer(handler).listen(port, host);
      await once(api, 'listening');
      return api;
    }),
  );
  // Two addresses instead of one host name with two addresses, which not every machine has.
  const nginx = await NginxServer.start({
    variables: { API_UPSTREAM: ADDRESSES.map((address) => `${address}:${port}`).join(' ') },
  });
  try {
    const statuses: number[] = [];
    for (let time = 0; time < times; time++)
      statuses.push((await nginx.request('/api/contact', { method: 'POST', body: '{}' })).status);
    return statuses;
  } finally {
    await nginx.close();
    for (const api of apis) api?.close().closeAllConnections();
  }
}

test('replicas > retry on the other api > one refuses connections', async () => {
  let taken = 0;
  const api = (_: IncomingMessage, response: ServerResponse) => {
    taken += 1;
    response.writeHead(202).end();
  };
  expect(await requestFromBoth([undefined, api], 10)).toEqual(Array(10).fill(202));
  expect(await requestFromBoth([api, undefined], 10)).toEqual(Array(10).fill(202));
  expect(taken).toBe(20);
});

test('replicas > do not retry a request > the api died while processing it', async () => {
  let taken = 0;
  const dying = (request: IncomingMessage) => {
    taken += 1;
    request.socket.destroy();
  };
  expect(await requestFromBoth([dying, dying], 1)).toEqual([503]);
  expect(taken).toBe(1);
});
