import type { Answer } from './server.ts';

/** A rule of the HTTP Observatory with what it adds to, or takes from, the score of an answer. */
interface Rule {
  readonly name: string;
  score(answer: Answer): number;
}

const BASE = 100;

/** Bonuses count only for a site that reaches this without them. */
const LEAST_FOR_BONUS = 90;

const BROAD = ['*', 'http:', 'https:', 'ftp:'];
const SIX_MONTHS_SECONDS = 15_768_000;

/**
 * Mozilla's published rules ("Tests & Scoring", version 5), as far as an answer over TLS can show them. Preloading and the
 * redirection to https belong to the operator's domain and count as 0 here.
 */
const RULES: readonly Rule[] = [
  { name: 'content security policy', score: scorePolicy },
  { name: 'cookies', score: ({ headers }) => (headers['set-cookie'] ? -20 : 0) },
  {
    name: 'cross-origin resource sharing',
    score: ({ headers }) => (headers['access-control-allow-origin'] === undefined ? 0 : -50),
  },
  { name: 'cross-origin resource policy', score: scoreResourcePolicy },
  { name: 'referrer policy', score: scoreReferrerPolicy },
  { name: 'strict transport security', score: scoreTransportSecurity },
  { name: 'subresource integrity', score: scoreScripts },
  { name: 'content type options', score: ({ headers }) => (headers['x-content-type-options'] === 'nosniff' ? 0 : -5) },
  { name: 'frame options', score: scoreFraming },
];

/** The score of a page, and what each rule gave it. A score of 100 or more is an A+. */
export function observatoryScore(answer: Answer): {
  readonly total: number;
  readonly parts: Readonly<Record<string, number>>;
} {
  const parts = Object.fromEntries(RULES.map((rule) => [rule.name, rule.score(answer)]));
  const sum = (sign: 1 | -1) =>
    Object.values(parts).reduce((total, part) => total + (Math.sign(part) === sign ? part : 0), 0);
  const penalised = BASE + sum(-1);
  return { total: Math.max(0, penalised >= LEAST_FOR_BONUS ? penalised + sum(1) : penalised), parts };
}

/** Sources by directive; the first of two equal directives holds. */
function policyOf({ headers }: Answer): ReadonlyMap<string, readonly string[]> {
  const policy = new Map<string, string[]>();
  for (const directive of String(headers['content-security-policy'] ?? '').split(';')) {
    const [name, ...sources] = directive.trim().toLowerCase().split(/\s+/);
    if (name && !policy.has(name)) policy.set(name, sources);
  }
  return policy;
}

function scorePolicy(answer: Answer): number {
  const policy = policyOf(answer);
  if (policy.size === 0) return -25;
  const sourcesOf = (name: string) => policy.get(name) ?? policy.get('default-src') ?? ['*'];
  const [scripts, styles, objects] = [sourcesOf('script-src'), sourcesOf('style-src'), sourcesOf('object-src')];
  const has = (sources: readonly string[], bad: readonly string[]) => sources.some((source) => bad.includes(source));
  if (has(scripts, [...BROAD, "'unsafe-inline'", 'data:']) || has(objects, BROAD)) return -20;
  if ([...policy.values()].flat().some((source) => /^(?:http|ftp):/.test(source))) return -20;
  if (has([...scripts, ...styles], ["'unsafe-eval'"])) return -10;
  if (has(styles, [...BROAD, "'unsafe-inline'", 'data:'])) return 0;
  return policy.get('default-src')?.join() === "'none'" ? 10 : 5;
}

function scoreResourcePolicy({ headers }: Answer): number {
  const value = headers['cross-origin-resource-policy'];
  if (value === undefined) return 0;
  return value === 'same-origin' || value === 'same-site' ? 10 : -20;
}

function scoreReferrerPolicy({ headers }: Answer): number {
  const value = headers['referrer-policy'];
  if (value === undefined) return 0;
  return ['no-referrer', 'same-origin', 'strict-origin', 'strict-origin-when-cross-origin'].includes(String(value))
    ? 5
    : -5;
}

function scoreTransportSecurity({ headers }: Answer): number {
  const seconds = /(?:^|;)\s*max-age=(\d+)/i.exec(String(headers['strict-transport-security'] ?? ''))?.[1];
  if (seconds === undefined) return -20;
  return Number(seconds) >= SIX_MONTHS_SECONDS ? 0 : -10;
}

/** Scripts of the page's own origin need no integrity; one from elsewhere does. */
function scoreScripts({ body }: Answer): number {
  const addresses = [...body.matchAll(/<script[^>]*\ssrc="?([^"\s>]+)/gi)].map(([, address = '']) => address);
  return addresses.some((address) => /^(?:https?:)?\/\//.test(address)) ? -5 : 0;
}

function scoreFraming(answer: Answer): number {
  const ancestors = policyOf(answer).get('frame-ancestors');
  return ancestors && !ancestors.some((source) => BROAD.includes(source)) ? 5 : -20;
}
