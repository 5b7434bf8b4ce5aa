import { connect } from 'node:net';

/** Maximum time to wait for one response, in milliseconds. */
const PROBE_TIMEOUT_MS = 2_000;

/** Readiness check of a server. */
export type Probe = () => Promise<boolean>;

/** Succeeds if GET returns a 2xx status. */
export function httpProbe(url: string): Probe {
  return async () => {
    try {
      const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
      const answer = await fetch(url, { headers: { connection: 'close' }, signal });
      await answer.arrayBuffer();
      return answer.ok;
    } catch {
      return false;
    }
  };
}

/** Succeeds if Redis answers PING with PONG. While Redis loads its data, it answers with an error. */
export function redisProbe(port: number): Probe {
  return () =>
    new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', timeout: PROBE_TIMEOUT_MS }, () => socket.write('PING\r\n'));
      const answer = (works: boolean) => {
        socket.destroy();
        resolve(works);
      };
      socket.once('data', (reply) => answer(reply.toString('latin1').startsWith('+PONG')));
      socket.once('timeout', () => answer(false));
      socket.once('error', () => answer(false));
    });
}
