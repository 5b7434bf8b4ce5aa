import { createHmac } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { sql } from 'kysely';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { Database } from '../database/database.ts';
import { secretOf } from '../database/properties.ts';
import { Breakers } from '../delivery/circuit-breaker.ts';
import { DeliveryError } from '../delivery/failure.ts';
import { Mailer } from '../delivery/mailer.service.ts';
import { acknowledgementMail } from '../delivery/mails/acknowledgement-mail.ts';
import { FORM_KINDS, type Submission } from '../submissions/submission.ts';
import { normalizedEmail } from '../submissions/submissions.repository.ts';
import type { Sent } from './follow-ups.repository.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** So many are sent in an hour, whoever asks for more. The rest waits. */
const HOURLY_MAX = 100;
const FULL_PAUSE_MS = 60_000;

/** The key under which addresses are remembered. */
const SECRET = 'acknowledgement-secret';

/** When a row of `properties` was written; behind it stands the submission. */
const TIME = sql`CAST(substr(value, 1, 13) AS bigint)`;

/**
 * Tells visitors that we have what they sent. Anybody can type any address, so each is written to once a day, few in all,
 * and with no word that was typed. A server that refuses such a mail says nothing about the mails to sales and HR: these
 * have another pool of connections, and neither breaker nor alert hears of it.
 */
@Injectable()
export class Acknowledgement implements OnApplicationShutdown {
  readonly kind = 'acknowledgement';
  /** The number that is sent in a round. */
  readonly inParallel = 1;
  /** The forms whose follow-up waits until the mail is delivered or given up. */
  readonly afterMail = FORM_KINDS;
  hourlyMax = HOURLY_MAX;
  private readonly mailer: Mailer;
  private fullUntil = 0;
  private secret: string | undefined;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly database: Database,
    private readonly breakers: Breakers,
  ) {
    this.mailer = new Mailer(settings);
  }

  /** Whether anything can be sent now. */
  get isReady(): boolean {
    return this.settings.ACKNOWLEDGE === 'on' && !this.breakers.mailServer.isOpen && Date.now() >= this.fullUntil;
  }

  async send(submission: Submission): Promise<Sent> {
    if (Date.now() - submission.receivedAt > DAY_MS) return { state: 'failed', error: 'too late' };
    const claim = await this.claim(submission);
    if (claim === 'repeated') return { state: 'failed', error: 'one a day' };
    if (claim === 'full') {
      this.fullUntil = Date.now() + FULL_PAUSE_MS;
      return { state: 'pending', error: 'too many in an hour', pauseMs: FULL_PAUSE_MS };
    }
    try {
      await this.mailer.send(acknowledgementMail(submission, this.settings));
      return { state: 'delivered' };
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      const isForGood = error.kind === 'permanent' || error.kind === 'inbox-refused' || error.kind === 'too-large';
      return { state: isForGood ? 'failed' : 'pending', error: error.reply?.code ?? error.kind };
    }
  }

  onApplicationShutdown(): void {
    this.mailer.onApplicationShutdown();
  }

  /** Forgets the addresses that may be written to again. */
  async forget(): Promise<void> {
    const since = this.database.fromNow(-DAY_MS);
    await this.database.run((db) =>
      sql`DELETE FROM properties WHERE name LIKE 'acknowledged:%' AND ${TIME} < ${since}`.execute(db),
    );
  }

  /**
   * Takes the one mail of a day for an address, which a repeat for the same submission still has. The address is kept as
   * a MAC alone, without what mail providers ignore in it, such as `+tag`.
   */
  private async claim({ id, fields }: Submission): Promise<'ours' | 'repeated' | 'full'> {
    const secret = (this.secret ??= await secretOf(this.database, SECRET));
    const mailbox = normalizedEmail(fields.email).replace(/\+[^@]*(?=@)|\.(?=[^@]*@)/g, '');
    const name = `acknowledged:${createHmac('sha256', secret).update(mailbox).digest('base64url')}`;
    return this.database.run((db) =>
      db.transaction().execute(async (transaction) => {
        // The lock on this row has other workers wait, so that the figures below stay true.
        await sql`UPDATE properties SET value = value WHERE name = ${SECRET}`.execute(transaction);
        const { rows: recent } = await sql`
          SELECT 1 FROM properties WHERE name LIKE 'acknowledged:%' AND name <> ${name}
            AND ${TIME} > ${this.database.fromNow(-HOUR_MS)} LIMIT ${this.hourlyMax}`.execute(transaction);
        if (recent.length === this.hourlyMax) return 'full';
        const { rows: claimed } = await sql`
          INSERT INTO properties (name, value) VALUES (${name}, CAST(${this.database.now} AS text) || ' ' || ${id})
          ON CONFLICT (name) DO UPDATE SET value = excluded.value
            WHERE CAST(substr(properties.value, 1, 13) AS bigint) < ${this.database.fromNow(-DAY_MS)}
              OR substr(properties.value, 15) = ${id}
          RETURNING name`.execute(transaction);
        return claimed.length > 0 ? 'ours' : 'repeated';
      }),
    );
  }
}
