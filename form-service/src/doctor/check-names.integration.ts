import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer } from '../../test/api-server.ts';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { readSettings } from '../config/settings.ts';
import { HealthService } from '../observability/health.service.ts';
import { checksOf, OUTSIDE } from './checks.ts';

/** Parts that only a running process can check. Doctor shows them in its lines of api and worker. */
const OF_PROCESSES = ['alerts', 'deliveries', 'mailboxes', 'tasks', 'virus scanner'];

/** Parts that only doctor checks: outside the processes, or too slow for a health check. */
const OF_DOCTOR = [
  'ALERT_WEBHOOK_URL',
  'DMARC of localhost',
  'SPF of localhost',
  'SUBMISSION_WEBHOOK_URL',
  'api',
  'files of résumés',
  'forms',
  'http://127.0.0.1:1',
  'single sign-on',
  'worker',
];

let stack: DeliveryStack;
/** Names of the health checks of a worker and an api. */
let healthNames: ReadonlySet<string>;
let doctorNames: ReadonlySet<string>;

const namesOf = (app: { get: ApiServer['app']['get'] }) =>
  app.get(HealthService, { strict: false }).checks.map(({ name }) => name);

beforeAll(async () => {
  stack = await DeliveryStack.start();
  const worker = await stack.startWorker();
  const api = await ApiServer.start(stack.redis.url, { DATABASE_URL: stack.settings.DATABASE_URL });
  healthNames = new Set([...namesOf(worker), ...namesOf(api.app)]);
  await api.close();
  const closed = 'http://127.0.0.1:1';
  const settings = readSettings({
    ...stack.environment,
    SITE_URL: closed,
    API_URL: closed,
    WORKER_URL: closed,
    MAIL_FROM: 'no-reply@localhost',
    SUBMISSION_WEBHOOK_URL: closed,
    OIDC_ISSUER: closed,
    OIDC_CLIENT_ID: 'a',
    OIDC_CLIENT_SECRET: 'b',
  });
  const outside = { ...OUTSIDE, resolveTxt: async () => [] };
  const found = await Promise.all(checksOf(settings, outside, Promise.resolve(stack.database), []));
  // Doctor itself checks the settings before all others.
  doctorNames = new Set(['settings', ...found.flatMap((finding) => finding?.about ?? [])]);
});
afterAll(() => stack.close());

describe('names of checks', () => {
  it('are those of the health checks > in doctor', () => {
    expect([...doctorNames].filter((name) => !healthNames.has(name)).toSorted()).toEqual(OF_DOCTOR);
    expect([...healthNames].filter((name) => !doctorNames.has(name)).toSorted()).toEqual(OF_PROCESSES);
  });

  it('are those of the health checks > on the board', () => {
    const board = readFileSync(
      new URL('../../../monitoring/grafana/dashboards/kitewright.json', import.meta.url),
      'utf8',
    );
    const { panels } = JSON.parse(board) as {
      panels: { targets?: { expr: string; legendFormat?: string }[] }[];
    };
    const shown = panels.flatMap(({ targets = [] }) => targets).filter(({ expr }) => expr.includes('health_check_ok'));
    // The label is the name of the check, so the board needs no names of its own.
    expect(shown.map(({ legendFormat }) => legendFormat)).toEqual(['{{job}}: {{check}}']);
  });
});
