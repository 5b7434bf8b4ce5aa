import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

/**
 * Time limit for looking up the name of a server, in addition to the limit for connecting. The C library waits 5 s for each
 * silent name server before it asks the next one.
 */
export const LOOKUP_MS = 15_000;

/**
 * Looks a name up before a connection, so that the connection's time limit only covers the server.
 *
 * @returns the function that gives the result to `net.connect`. An IP address or a path of a socket needs no lookup.
 * @throws Error with the code `ENAMESERVER` after the time limit, or the error of the lookup
 */
export async function lookedUp(
  host: string,
  resolve: LookupFunction = lookup as LookupFunction,
  limitMs = LOOKUP_MS,
): Promise<LookupFunction> {
  const name = host.replace(/^\[|\]$/g, '');
  if (isIP(name) || name.includes('/')) return lookup as LookupFunction;
  const found = await new Promise<LookupAddress[]>((done, fail) => {
    const late = () =>
      fail(Object.assign(new Error('The name servers are slow. Check resolv.conf'), { code: 'ENAMESERVER' }));
    const timer = setTimeout(late, limitMs);
    resolve(name, { all: true }, (error, addresses) => {
      clearTimeout(timer);
      if (error) fail(error);
      else done(addresses as LookupAddress[]);
    });
  });
  const [first] = found;
  return (_name, { all }, callback) =>
    all ? callback(null, found) : callback(null, first?.address ?? '', first?.family);
}

/** Returns the time limit for connecting of a client that looks names up itself. */
export function withLookup(connectMs: number, host: string): number {
  return isIP(host.replace(/^\[|\]$/g, '')) ? connectMs : connectMs + LOOKUP_MS;
}
