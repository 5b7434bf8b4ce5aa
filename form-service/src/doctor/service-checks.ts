import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import type { Settings } from '../config/settings.ts';
import type { CheckResult, HealthReport } from '../observability/health.service.ts';
import { fault, sentences, type Outside } from './finding.ts';

const CERTIFICATE_DAYS_MIN = 14;
const DAY_MS = 86_400_000;

/** Remedy for a process that does not answer. */
const RUNS = 'Check that it runs: docker compose ps -a';

/** Looks up all addresses of a host name. @throws Error that contains the name */
async function addressesOf(
  name: string,
  { lookup, limits }: Pick<Outside, 'lookup' | 'limits'>,
): Promise<LookupAddress[]> {
  const late = pause(limits.answer, [], { ref: false });
  const addresses = await Promise.race([lookup(name), late]).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${name} cannot be looked up (${error.code}). ${RUNS}`, { cause: error });
  });
  if (addresses.length === 0)
    throw new Error(`${name} cannot be looked up (no answer). Check the server in /etc/resolv.conf. ${RUNS}`);
  return addresses;
}

/**
 * Requests the health checks of every replica of the api or the worker.
 *
 * @param printed causes that `doctor` prints itself, which are left out
 */
export async function checkProcess(
  url: string,
  outside: Pick<Outside, 'lookup' | 'limits'>,
  printed: Promise<ReadonlySet<string | undefined>>,
): Promise<CheckResult | void> {
  const { hostname, port } = new URL(url);
  const addresses = await addressesOf(hostname, outside);
  const failures = await Promise.all(
    addresses.map(async ({ address, family }) => {
      const target = new URL(`http://${family === 6 ? `[${address}]` : address}:${port}/health/ready`);
      const answer = await exchange(target, outside.limits.answer).catch(reasonOf);
      return typeof answer === 'string' ? [[`${url} does not answer (${answer}). ${RUNS}`]] : failuresIn(answer.body);
    }),
  );
  const causes = [...(await printed)];
  const isPrinted = (cause: string) => causes.some((one) => one && (cause === one || cause.endsWith(`: ${one}`)));
  const texts = failures.flat().flatMap(([text = '', cause = text]) => (isPrinted(cause) ? [] : [text]));
  if (texts.length > 0) return fault([...new Set(texts)].join('; '));
}

/** Returns the failing checks of a report with remedies and causes, or what is wrong with the report. */
function failuresIn(body: string): string[][] {
  try {
    const { checks } = JSON.parse(body) as HealthReport;
    const failing = Object.entries(checks).filter(([, { status }]) => status !== 'ok');
    return failing.map(([name, { cause = '', advice = '' }]) => [`${name}: ${sentences(cause, advice)}`, cause]);
  } catch {
    return [['its health check does not answer JSON. See docker compose logs']];
  }
}

/** Checks the site as visitors reach it: host name, certificate, pages, api, and the proxy in front of nginx. */
export async function checkSite({ SITE_URL }: Settings, outside: Outside): Promise<CheckResult | void> {
  const page = await exchange(new URL('/about', SITE_URL), outside.limits.answer, outside).catch(unreachable);
  if (typeof page === 'string') return fault(page);
  const faults = [faultOfCertificate(page), await faultOfAnswers(SITE_URL, page, outside)].filter(Boolean);
  if (faults.length > 0) return fault(faults.join('; '));
}

/** Checks the inbox on its own host: the sign-in, nothing else of the site, and the redirect from the site. */
export async function checkInboxHost(
  { SITE_URL, INBOX_URL = '' }: Settings,
  outside: Outside,
): Promise<CheckResult | void> {
  const ask = (path: string, base: string) =>
    exchange(new URL(path, base), outside.limits.answer, outside).catch(unreachable);
  const [inbox, page, former] = await Promise.all([
    ask('/inbox', INBOX_URL),
    ask('/about', INBOX_URL),
    ask('/inbox', SITE_URL),
  ]);
  for (const answer of [inbox, page, former]) if (typeof answer === 'string') return fault(answer);
  const [own, elsewhere] = [inbox, former].map((answer) => (answer as Exchange).answer.headers.location ?? '');
  if (!own?.startsWith('/inbox/sign-in'))
    return fault(
      `the inbox answers ${(inbox as Exchange).status} and not the sign-in`,
      'The proxy in front of nginx must pass the Host header on. See docker compose logs nginx worker',
    );
  if ((page as Exchange).status !== 404)
    return fault('the host of the inbox has the pages of the site', 'nginx needs INBOX_URL too: docker compose up -d');
  if (!elsewhere?.startsWith(new URL(INBOX_URL).origin))
    return fault(`${SITE_URL}/inbox does not lead there`, 'The worker needs INBOX_URL too: docker compose up -d');
  const certificate = faultOfCertificate(inbox as Exchange);
  if (certificate) return fault(certificate);
}

function faultOfCertificate({ certificateEnd }: Exchange): string | undefined {
  const days = Math.floor((certificateEnd - Date.now()) / DAY_MS);
  if (days < CERTIFICATE_DAYS_MIN)
    return `the certificate ends in ${days} days and was not renewed. See docker compose logs caddy nginx`;
}

/** Checks a page and the response to an empty form. */
async function faultOfAnswers(
  SITE_URL: string,
  page: Exchange,
  { authorities, limits }: Outside,
): Promise<string | undefined> {
  const { location } = page.answer.headers;
  if (location !== undefined) {
    const target = new URL(location, SITE_URL).origin;
    return `redirects to ${target}. Write that address into SITE_URL, then run docker compose build site && docker compose up -d`;
  }
  if (page.status !== 200) return `answers ${page.status}. See docker compose ps -a`;
  const builtWith = canonicalOrigin(page.body);
  if (builtWith !== new URL(SITE_URL).origin)
    return `the pages were built with ${builtWith ?? 'no'} SITE_URL. Run docker compose build site && docker compose run --rm site`;
  // An empty form is invalid (422), so nothing is stored. Only the api gives this answer, no proxy in front of it.
  const form = await exchange(new URL('/api/contact', SITE_URL), limits.answer, { authorities, json: '{}' }).catch(
    unreachable,
  );
  if (typeof form === 'string') return form;
  if (form.status !== 422)
    return `a form that is sent gets ${form.status} and not the answer of the api. See docker compose ps -a and docker compose logs nginx api`;
  if (SITE_URL.startsWith('https:') && !page.answer.headers['strict-transport-security'])
    return 'nginx does not trust the proxy in front of it, so all visitors share one rate limit. Add it to TRUSTED_PROXIES';
}

/** Returns the origin of a page's canonical URL, which is the SITE_URL of the build. */
export function canonicalOrigin(page: string): string | undefined {
  const [link = ''] = /<link\b[^>]*\brel="?canonical\b[^>]*>/.exec(page) ?? [];
  const [, address = ''] = /\bhref="?([^"\s>]+)/.exec(link) ?? [];
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

/** Remedies by error code. The first match applies. */
const UNREACHABLE: readonly (readonly [code: RegExp, remedy: string])[] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'The name has no DNS records yet. Add those of docs/install.md, step 2'],
  [/^CERT_HAS_EXPIRED$/, 'The certificate has expired and was not renewed. See docker compose logs caddy nginx'],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    'The certificate is for another name. Check SITE_URL, or the file in TLS_CERTIFICATE',
  ],
  [
    /CERT|SIGN|ISSUER|SSL|TLS|EPROTO/,
    'There is no certificate yet that browsers trust. See docker compose logs caddy nginx',
  ],
];

/** Describes why a site cannot be reached, and the remedy. */
export function unreachable({ name, code = name }: NodeJS.ErrnoException): string {
  const [, remedy] = UNREACHABLE.find(([pattern]) => pattern.test(code)) ?? [];
  const hint =
    remedy ?? 'Check that ports 80 and 443 are open and that the name leads here. See docker compose logs caddy nginx';
  return `cannot be reached (${reasonOf({ name, code })}). ${hint}`;
}

/** Returns the error code of a failed request, or `no answer` for a timeout. */
function reasonOf({ name, code = name }: Pick<NodeJS.ErrnoException, 'name' | 'code'>): string {
  return code === 'ABORT_ERR' ? 'no answer' : code;
}

interface Exchange {
  readonly answer: IncomingMessage;
  readonly status: number | undefined;
  readonly body: string;
  /** Milliseconds since the epoch; infinite without TLS. */
  readonly certificateEnd: number;
}

/** Sends a GET, or a POST if there is JSON. */
async function exchange(
  url: URL,
  answerMs: number,
  { authorities, json }: { authorities?: string | undefined; json?: string } = {},
): Promise<Exchange> {
  const isSecure = url.protocol === 'https:';
  const headers = { accept: 'application/json', ...(json && { 'content-type': 'application/json' }) };
  const options = { method: json ? 'POST' : 'GET', headers, signal: AbortSignal.timeout(answerMs), agent: false };
  const question = isSecure
    ? request(url, { ...options, ...(authorities && { ca: authorities }) })
    : requestPlain(url, options);
  question.end(json);
  const [answer] = (await once(question, 'response')) as [IncomingMessage];
  const certificateEnd = isSecure ? Date.parse((answer.socket as TLSSocket).getPeerCertificate().valid_to) : Infinity;
  return { answer, status: answer.statusCode, body: await text(answer), certificateEnd };
}
