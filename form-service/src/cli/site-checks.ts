import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { request as requestPlain, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { DAY_MS } from '../config/durations.ts';
import type { Settings } from '../config/settings.ts';
import { down, lineOf, type Check, type CheckResult, type HealthReport, type NamedResult } from '../health/check.ts';
import { checkOf, type Outside } from './outside-checks.ts';

const CERTIFICATE_DAYS_MIN = 14;

/** Checks the site as visitors reach it: name, certificate, the proxy in front of nginx, and the api. */
export const siteCheck = ({ SITE_URL: site }: Settings, outside: Outside): Check =>
  checkOf(site, async () => {
    // An empty form is invalid (422), so nothing is stored. Only the api gives this answer, no proxy in front of it.
    const { status, headers, certificateEnd } = await exchange(new URL('/api/contact', site), outside, '{}');
    const days = Math.floor((certificateEnd - Date.now()) / DAY_MS);
    if (days < CERTIFICATE_DAYS_MIN) return down(`the certificate ends in ${days} days and was not renewed`);
    if (headers.location) return down(`redirects to ${headers.location}`, 'Write that address into SITE_URL');
    if (status !== 422) return down(`an empty form gets ${status} and not 422`, 'See docker compose logs nginx api');
    if (site.startsWith('https:') && !headers['strict-transport-security'])
      return down('nginx does not trust the proxy in front of it', 'Add it to TRUSTED_PROXIES');
  });

/**
 * Asks every replica of the api and the worker for its health.
 *
 * @param printed lines that doctor prints itself, which are left out
 */
export async function resultsOfProcesses(
  { API_URL, WORKER_URL }: Settings,
  outside: Outside,
  printed: ReadonlySet<string>,
): Promise<NamedResult[]> {
  const ask = async ([name, url]: readonly [string, string]) => {
    const lines = await linesOf(url, outside).catch(({ message }: Error) => [down(message)]);
    return lines.map((result) => ({ name, ...result })).filter(({ cause = '' }) => !printed.has(cause));
  };
  const found = await Promise.all([ask(['api', API_URL]), ask(['worker', WORKER_URL])]);
  return found.flat();
}

/** Returns the version of a process, and a result for each of its checks that is not ok. */
async function linesOf(url: string, outside: Outside): Promise<CheckResult[]> {
  const { hostname, port } = new URL(url);
  const late = pause(outside.answerMs, [], { ref: false });
  const addresses = await Promise.race([lookup(hostname, { all: true }), late]).catch(() => []);
  if (addresses.length === 0) throw new Error(`${hostname} cannot be looked up. See docker compose ps -a`);
  const found = new Map<string, CheckResult>();
  for (const { address, family } of addresses) {
    const host = family === 6 ? `[${address}]` : address;
    const { version, checks } = await reportAt(new URL(`http://${host}:${port}/health/ready`), outside);
    found.set(version, { status: 'ok', advice: `version ${version}` });
    for (const [name, result] of Object.entries(checks)) {
      const line = lineOf({ name, ...result });
      if (result.status !== 'ok') found.set(line, { status: result.status, cause: line });
    }
  }
  return [...found.values()];
}

async function reportAt(url: URL, outside: Outside): Promise<HealthReport> {
  const { body } = await exchange(url, outside);
  try {
    return JSON.parse(body) as HealthReport;
  } catch {
    throw new Error('the health check does not answer JSON. See docker compose logs');
  }
}

interface Exchange {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Milliseconds since the epoch; infinite without TLS. */
  readonly certificateEnd: number;
}

/** Sends a GET, or a POST if there is JSON. @throws Error in a sentence */
async function exchange(url: URL, { authorities, answerMs }: Outside, json?: string): Promise<Exchange> {
  const isSecure = url.protocol === 'https:';
  const headers = { accept: 'application/json', ...(json && { 'content-type': 'application/json' }) };
  const options = { method: json ? 'POST' : 'GET', headers, signal: AbortSignal.timeout(answerMs), agent: false };
  const question = isSecure
    ? request(url, { ...options, ...(authorities && { ca: authorities }) })
    : requestPlain(url, options);
  question.end(json);
  try {
    const [answer] = (await once(question, 'response')) as [IncomingMessage];
    const certificateEnd = isSecure ? Date.parse((answer.socket as TLSSocket).getPeerCertificate().valid_to) : Infinity;
    return { status: answer.statusCode, headers: answer.headers, body: await text(answer), certificateEnd };
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    const why = code === 'ABORT_ERR' ? 'no answer' : (code ?? name);
    throw new Error(`cannot be reached (${why}). See docker compose ps -a, and docs/operations.md`, { cause: error });
  }
}
