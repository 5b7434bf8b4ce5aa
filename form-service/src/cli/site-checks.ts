import { hash } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { down, type CheckResult, type HealthReport, type NamedResult } from '../health/check.ts';
import type { Outside } from './outside-checks.ts';

type Limits = Pick<Outside, 'answerMs'>;

/** Checks the site as visitors reach it: name, certificate, the proxy in front of nginx, and the api. */
export async function checkSite(site: string, limits: Limits): Promise<CheckResult | void> {
  // An empty form is invalid (422), so nothing is stored. Only the api gives this answer, no proxy in front of it.
  const form = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  const { status, headers } = await exchange(new URL('/api/contact', site), limits, form);
  const location = headers.get('location');
  if (location) return down(`redirects to ${location}`, 'Write that address into SITE_URL');
  if (status !== 422) return down(`an empty form gets ${status} and not 422`, 'See docker compose logs nginx api');
  if (site.startsWith('https:') && !headers.has('strict-transport-security'))
    return down('nginx does not trust the proxy in front of it', 'Add it to TRUSTED_PROXIES');
  const page = await exchange(new URL(site), limits);
  if (hasForeignScript(await page.text(), page.headers.get('content-security-policy') ?? ''))
    return down('a proxy changes its pages', 'Switch that off: docs/deployment.md#behind-a-load-balancer');
}

/** Scripts of a page, and what is between their tags; not structured data, which is no code. */
const SCRIPTS = /<script(?![^>]*ld\+json)[^>]*>([^]*?)<\/script>/gi;

/**
 * Whether a page has a script that its Content-Security-Policy does not allow by its hash. The build writes hashes of all
 * scripts, and none has an address. A proxy that hides e-mail addresses or delays scripts adds or changes one.
 */
function hasForeignScript(page: string, policy: string): boolean {
  return [...page.matchAll(SCRIPTS)].some(([, script = '']) => !policy.includes(hash('sha256', script, 'base64')));
}

/** Asks every replica of a process for its health. Returns its version, and a result for each check that is not ok. */
export async function resultsOfProcess(url: string, limits: Limits): Promise<NamedResult[]> {
  const { hostname, port } = new URL(url);
  const late = pause(limits.answerMs, [], { ref: false });
  const addresses = await Promise.race([lookup(hostname, { all: true }), late]).catch(() => []);
  if (addresses.length === 0) return [{ name: `${hostname} cannot be looked up`, ...down('See docker compose ps -a') }];
  const ask = async ({ address, family }: (typeof addresses)[number]): Promise<NamedResult[]> => {
    const host = family === 6 ? `[${address}]` : address;
    const answer = await exchange(new URL(`http://${host}:${port}/health/ready`), limits);
    const { version, checks } = (await answer.json()) as HealthReport;
    const faults = Object.entries(checks).filter(([, { status }]) => status !== 'ok');
    return [{ name: `version ${version}`, status: 'ok' }, ...faults.map(([name, result]) => ({ name, ...result }))];
  };
  const found = await Promise.all(addresses.map(ask)).catch(({ message }: Error) => [
    [{ name: message, ...down('See docker compose logs') }],
  ]);
  return found.flat();
}

/** Sends a request, and follows no redirect. @throws Error in a sentence */
async function exchange(url: URL, { answerMs }: Limits, request: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, { ...request, redirect: 'manual', signal: AbortSignal.timeout(answerMs) });
  } catch (error) {
    const { name, cause } = error as Error;
    const { code = name } = (cause ?? {}) as NodeJS.ErrnoException;
    const why = code === 'TimeoutError' ? 'no answer' : code;
    throw new Error(`cannot be reached (${why}). See docker compose ps -a, and docs/operations.md`, { cause: error });
  }
}
