import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { LoadError, type Load } from './own-load.ts';

/** Bounds of a load. An enquiry costs the database two rows and an erasure, and nginx allows a client 100 a second. */
const MAX = {
  get: { perSecond: 500, requests: 10_000 },
  post: { perSecond: 50, requests: 1_000 },
  seconds: 60,
} as const;

export const USAGE = `npm run bench load -- --url URL [--rate 10] [--seconds 10] [--post [--submissions COMMAND]] [--yes-this-is-mine]
  --url                requests this page; with --post, its host gets enquiries
  --rate, --seconds    requests a second, and for how long
  --post               posts enquiries that are quarantined, not mailed, and erased at the end
  --submissions        command that runs "submissions" on that installation [docker compose exec -T worker submissions]
  --yes-this-is-mine   the host is neither this machine nor that of SITE_URL, but mine`;

/** A bounded load, and for `--post` what it needs in addition. */
export interface LoadOptions extends Load {
  readonly post?: {
    /** Address of the enquiries of this load, so that no others are erased. */
    readonly email: string;
    /** Program and arguments that precede those of a command. */
    readonly command: readonly string[];
  };
}

/** Reads the command line. @throws LoadError */
export function readOptions(args: string[], { SITE_URL = '' }: NodeJS.ProcessEnv): LoadOptions {
  const { url: address, post, submissions, rate, seconds, 'yes-this-is-mine': isMine } = parse(args);
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '')
    throw new LoadError(`--url needs an address such as https://www.example.org/about.\n\n${USAGE}`);
  if (!isMine && !isOwnHost(url, SITE_URL))
    throw new LoadError(
      `${url.host} is neither this machine nor the host of SITE_URL, so it gets no load. Add --yes-this-is-mine if you run it, and its hoster allows load tests.`,
    );
  const max = post ? MAX.post : MAX.get;
  const perSecond = numberOf('--rate', rate, max.perSecond);
  const requests = perSecond * numberOf('--seconds', seconds, MAX.seconds);
  if (requests > max.requests)
    throw new LoadError(`${requests} requests are too many. Choose --rate and --seconds for at most ${max.requests}.`);
  if (!post) return { url, perSecond, requests };
  const email = `${randomUUID()}@load-test.invalid`;
  const command = submissions.split(' ').filter(Boolean);
  return { url: new URL('/api/contact', url), perSecond, requests, post: { email, command } };
}

function parse(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        url: { type: 'string', default: '' },
        rate: { type: 'string', default: '10' },
        seconds: { type: 'string', default: '10' },
        post: { type: 'boolean', default: false },
        submissions: { type: 'string', default: 'docker compose exec -T worker submissions' },
        'yes-this-is-mine': { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    throw new LoadError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

/** Whether a host is this machine, or that of the installation whose `.env` is here. */
function isOwnHost({ hostname }: URL, SITE_URL: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname) || hostname === URL.parse(SITE_URL)?.hostname;
}

function numberOf(option: string, value: string, max: number): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > max)
    throw new LoadError(`${option} needs a whole number from 1 to ${max}.`);
  return number;
}
