import { until } from '../../form-service/test/until.ts';
import { post } from '../faults/http-post.ts';
import type { Ledger } from '../faults/ledger.ts';
import type { Product } from '../faults/product.ts';
import type { SmtpSink } from '../faults/smtp-sink.ts';
import type { Check } from '../faults/verdict.ts';
import { visitorOf } from '../faults/visitors.ts';
import { balance, difference } from './balance.ts';
import { Metrics } from './metrics.ts';
import type { Operator } from './operator.ts';
import type { Prometheus } from './prometheus.ts';

export interface Cast {
  readonly product: Product;
  readonly mail: SmtpSink;
  readonly ledger: Ledger;
  readonly operator: Operator;
  /** Absent where there is none to install. */
  readonly prometheus: Prometheus | undefined;
}

const BATCH = 12;
const RESUME_MAX_BYTES = 200_000;
const ANSWER_MS = 12_000;

/** The promise is an alarm within five minutes. */
const ALARM_LIMIT_MS = 5 * 60_000;

/** What happens on a bad afternoon, in order, and what must be seen of it. Each step waits for what it brings about. */
export class Afternoon {
  readonly #cast: Cast;
  readonly #say: (sentence: string) => void;
  readonly #checks: Check[] = [];
  #visitors = 0;

  constructor(cast: Cast, say: (sentence: string) => void) {
    this.#cast = cast;
    this.#say = say;
  }

  async run(): Promise<Check[]> {
    await this.#allIsWell();
    await this.#mailServerRefuses();
    await this.#mailServerIsAway();
    await this.#allIsMended();
    return [...this.#checks, ...(await balance(this.#cast, this.#visitors, this.#say))];
  }

  async #allIsWell(): Promise<void> {
    const { product, ledger } = this.#cast;
    const sent = await this.#visitorsCome();
    await until('the first mails', () => sent.every((reference) => ledger.delivered.has(reference)));
    await until(
      'the canary',
      async () =>
        (await Metrics.of(product.inside.worker)).sum('kitewright_canary_attempts_total', 'outcome="delivered"') === 1,
    );
    await this.#seenBy('count(up == 1) == 3', 'all targets up');
    this.#say(`${sent.length} submissions and the canary delivered`);
  }

  async #mailServerRefuses(): Promise<void> {
    const { product, mail, operator } = this.#cast;
    mail.behave('550');
    const brokenAt = performance.now();
    const since = () => `${((performance.now() - brokenAt) / 1000).toFixed(1)} s`;
    this.#say('the mail server answers 550 to everything');
    const sent = await this.#visitorsCome();
    await until(
      'the alarm in the metrics',
      async () => (await Metrics.of(product.inside.worker)).sum('kitewright_alerts_total', 'submission-failed') > 0,
      ALARM_LIMIT_MS,
    );
    this.#say(`the metrics tell it after ${since()}`);
    await this.#seenBy(
      'ALERTS{alertname="KitewrightSubmissionFailed",alertstate="firing"}',
      'the alert',
      ALARM_LIMIT_MS,
    );
    if (this.#cast.prometheus) this.#say(`the alert fires after ${since()}`);
    await until('every one to fail', async () => (await operator.list('failed')).length >= sent.length);
    this.#expect('the operator sees exactly those that failed', difference(await operator.list('failed'), sent));
  }

  async #mailServerIsAway(): Promise<void> {
    const { product, mail, operator } = this.#cast;
    await mail.stop();
    this.#say('the mail server is away');
    const sent = await this.#visitorsCome();
    await until(
      'the mail server missed',
      async () => (await Metrics.of(product.inside.worker)).sum('kitewright_health_check_ok', 'mail server') === 0,
    );
    const report = await fetch(`http://${product.inside.worker}/health/ready`);
    const { checks } = (await report.json()) as { checks: Record<string, { cause?: string }> };
    this.#expect(
      'readiness says that the mail server is away',
      report.status === 503 && checks['mail server']?.cause?.startsWith('away since') ? [] : [report.status],
    );
    await this.#seenBy('ALERTS{alertname="KitewrightMailServerAway"}', 'the alert about the mail server');
    this.#expect(
      'what could not be tried is pending, and not failed',
      difference(await operator.list('pending'), sent),
    );
  }

  async #allIsMended(): Promise<void> {
    const { mail, operator, ledger } = this.#cast;
    mail.behave('well');
    await mail.start();
    this.#say('the mail server is mended; resend --all-failed');
    await operator.resendAllFailed();
    await until(
      'everything delivered',
      () => [...ledger.accepted].every((reference) => ledger.delivered.has(reference)),
      120_000,
    );
    await until('nothing pending', async () => (await operator.list('pending')).length === 0);
    await this.#seenBy('max(kitewright_submissions{state="failed"}) == 0', 'the end of the failures');
    await this.#seenBy('absent(ALERTS{alertname="KitewrightSubmissionFailed"})', 'the end of the alert');
    this.#say('everything is delivered');
  }

  /** Resolves with the references they were given. */
  async #visitorsCome(): Promise<string[]> {
    const { product, ledger } = this.#cast;
    const visitors = Array.from({ length: BATCH }, () => visitorOf(1, this.#visitors++, RESUME_MAX_BYTES));
    const outcomes = await Promise.all(
      visitors.map(async (visitor) => {
        const outcome = ledger.answered(
          await post(new URL(visitor.path, product.siteUrl), await visitor.encode(), visitor, ANSWER_MS),
        );
        ledger.entries.push({ visitor, outcome });
        return outcome;
      }),
    );
    const references = outcomes.flatMap((outcome) => (outcome.kind === 'accepted' ? [outcome.reference] : []));
    this.#expect(
      `all ${BATCH} visitors are told that it was sent`,
      references.length === BATCH ? [] : outcomes.map(({ kind }) => kind),
    );
    return references;
  }

  /** Waits until Prometheus, where there is one, finds something. */
  async #seenBy(expression: string, what: string, limitMs = 60_000): Promise<void> {
    const { prometheus } = this.#cast;
    if (prometheus)
      await until(`${what}, by Prometheus`, async () => (await prometheus.query(expression)).length > 0, limitMs);
  }

  #expect(promise: string, broken: readonly (string | number)[]): void {
    this.#checks.push({ promise, broken });
  }
}
