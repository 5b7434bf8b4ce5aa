import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { request } from 'node:https';
import { join } from 'node:path';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import type { Certificate } from '../support/certificate.ts';
import { expect, NginxServer, readResponse, test, tlsVariables, type NginxResponse } from './server.ts';

const HSTS = 'max-age=86400';

let folder: string;
let tlsPort: number;
let trusted: Certificate;
let nginx: NginxServer;

test.beforeAll(async () => {
  folder = makeTemporaryFolder();
  const { port, variables, certificate } = await tlsVariables(folder);
  [tlsPort, trusted] = [port, certificate];
  nginx = await NginxServer.start({ variables });
});
test.afterAll(async () => {
  await nginx.close();
  rmSync(folder, { recursive: true });
});

/** Sends one HTTP/1.1 request over TLS, and trusts only the test certificate. */
async function requestOverTls(path: string, method = 'GET'): Promise<NginxResponse> {
  const sent = request({ host: 'localhost', port: tlsPort, path, method, ca: trusted.pem, agent: false }).end();
  const [response] = await once(sent, 'response');
  return readResponse(response);
}

async function requestOverHttp2(session: ClientHttp2Session, path: string) {
  const stream = session.request({ ':path': path });
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status'?: number }];
  stream.resume();
  await once(stream, 'end');
  return headers;
}

/** Opens a TLS connection. Rejects if the handshake fails. */
async function handshake(options: ConnectionOptions): Promise<TLSSocket> {
  const socket = connectTls({ host: '127.0.0.1', port: tlsPort, servername: 'localhost', ca: trusted.pem, ...options });
  await once(socket, 'secureConnect');
  return socket;
}

test('TLS > serves pages over HTTP/2 with HSTS', async () => {
  const session = connect(`https://localhost:${tlsPort}`, { ca: trusted.pem });
  await once(session, 'connect');
  expect(session.alpnProtocol).toBe('h2');
  const answers = await Promise.all(['/', '/about', '/services'].map((path) => requestOverHttp2(session, path)));
  for (const headers of answers) {
    expect(headers[':status']).toBe(200);
    expect(headers['strict-transport-security']).toBe(HSTS);
    expect(headers['content-security-policy']).toContain('; upgrade-insecure-requests');
  }
  session.close();
});

test('TLS > is passed on to the api in X-Forwarded-Proto', async () => {
  let scheme: unknown;
  nginx.upstream = ({ headers }, response) => {
    scheme = headers['x-forwarded-proto'];
    response.writeHead(202).end();
  };
  expect((await requestOverTls('/api/contact', 'POST')).status).toBe(202);
  expect(scheme).toBe('https');
});

test('plain HTTP > redirects to TLS with path and query', async () => {
  for (const path of ['/about?from=mail&x=%2F', '/api/contact']) {
    const answer = await nginx.request(path, { headers: { host: `kitewright.example:${nginx.port}` } });
    expect([answer.status, answer.headers.location]).toEqual([301, `https://kitewright.example:${tlsPort}${path}`]);
    expect(answer.headers['strict-transport-security'], 'browsers ignore it without TLS').toBeUndefined();
  }
});

test('plain HTTP > answers health checks and ACME challenges', async () => {
  mkdirSync(join(folder, '.well-known/acme-challenge'), { recursive: true });
  writeFileSync(join(folder, '.well-known/acme-challenge/token_1'), 'token_1.thumbprint');
  expect(await nginx.request('/healthz')).toMatchObject({ status: 200, body: 'ok\n' });
  nginx.upstream = (_, response) => void response.end('ok\n');
  expect(await nginx.request('/healthz/deliveries')).toMatchObject({ status: 200, body: 'ok\n' });
  expect(await requestOverTls('/healthz/deliveries')).toMatchObject({ status: 200, body: 'ok\n' });
  expect(await nginx.request('/.well-known/acme-challenge/token_1')).toMatchObject({
    status: 200,
    body: 'token_1.thumbprint',
  });
  expect((await nginx.request('/.well-known/acme-challenge/other')).status).toBe(404);
  for (const beside of ['/../../key.pem', '../../key.pem', '/..%2f..%2fkey.pem'])
    expect((await nginx.request(`/.well-known/acme-challenge${beside}`)).body, beside).not.toContain('PRIVATE');
});

test('TLS > issues no session tickets, whose key would decrypt recorded traffic', async () => {
  const socket = await handshake({ maxVersion: 'TLSv1.2' });
  expect([socket.getProtocol(), socket.getTLSTicket()]).toEqual(['TLSv1.2', undefined]);
  // Sessions are resumed from nginx's own cache.
  const session = socket.getSession();
  // OpenSSL forgets the session of a connection that is reset.
  socket.end();
  await once(socket, 'close');
  const resumed = await handshake({ maxVersion: 'TLSv1.2', ...(session && { session }) });
  expect(resumed.isSessionReused()).toBe(true);
  resumed.destroy();
});

test('TLS > rejects old protocols and ciphers', async () => {
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const socket = await handshake({ minVersion: version, maxVersion: version });
    expect(socket.getProtocol()).toBe(version);
    socket.destroy();
  }
  // The client allows weak ciphers, so that nginx rejects them and not the client.
  await expect(handshake({ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' })).rejects.toThrow(
    /alert protocol version/,
  );
  await expect(handshake({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' })).rejects.toThrow(
    /handshake failure/,
  );
});
