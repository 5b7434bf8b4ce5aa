import { once } from 'node:events';
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

/** Succeeds if a server listens on the loopback address. */
export function portProbe(port: number): Probe {
  return async () => {
    const socket = connect({ port, host: '127.0.0.1' });
    try {
      await once(socket, 'connect');
      return true;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  };
}
