import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { freePorts } from '../../scripts/stack/ports.ts';
import { expect, NginxServer, test } from './server.ts';

const ADDRESSES = ['127.0.0.1', '127.0.0.2'];

/** Statuses of questions that two apis share; `undefined` is one that takes no connection. */
async function askBoth(
  handlers: readonly (((question: IncomingMessage, response: ServerResponse) => void) | undefined)[],
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
  // Two servers as nginx finds them behind one name with two addresses, which not every machine has.
  const nginx = await NginxServer.start({
    variables: { API_UPSTREAM: ADDRESSES.map((address) => `${address}:${port}`).join(' ') },
  });
  try {
    const statuses: number[] = [];
    for (let time = 0; time < times; time++)
      statuses.push((await nginx.ask('/api/contact', { method: 'POST', body: '{}' })).status);
    return statuses;
  } finally {
    await nginx.close();
    for (const api of apis) api?.close().closeAllConnections();
  }
}

test('An api that takes no connection is passed over.', async () => {
  let taken = 0;
  const api = (_: IncomingMessage, response: ServerResponse) => {
    taken += 1;
    response.writeHead(202).end();
  };
  expect(await askBoth([undefined, api], 10)).toEqual(Array(10).fill(202));
  expect(await askBoth([api, undefined], 10)).toEqual(Array(10).fill(202));
  expect(taken).toBe(20);
});

test('What one api had in hand when it died is not sent to the other.', async () => {
  let taken = 0;
  const dying = (question: IncomingMessage) => {
    taken += 1;
    question.socket.destroy();
  };
  expect(await askBoth([dying, dying], 1)).toEqual([503]);
  expect(taken).toBe(1);
});
