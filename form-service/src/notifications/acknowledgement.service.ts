import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { FORM_KINDS } from '../contract/forms.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { valueOf } from '../contract/forms.ts';
import { Database } from '../database/database.ts';
import { secretOf } from '../database/properties.ts';
import type { Attempt } from '../outbox/attempt.ts';
import { Breakers } from '../delivery/breakers.ts';
import { DeliveryError } from '../outbox/failure.ts';
import { Mailer } from '../mail/mailer.service.ts';
import { acknowledgementMail } from '../mail/mails/acknowledgement-mail.ts';
import type { Submission } from '../submissions/submission.ts';
import { normalizedEmail } from '../submissions/search-terms.ts';
import { TOO_LATE, type NotificationResult } from '../outbox/notifications.repository.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Maximum number of acknowledgements per hour. The others wait. */
const HOURLY_MAX = 100;
const FULL_PAUSE_MS = 60_000;

/** Property of the installation with the HMAC key. */
const SECRET = 'acknowledgement-secret';

/**
 * Acknowledges submissions by mail. A visitor can type any address (backscatter), so each address gets one mail a day,
 * without visitors' text and within an hourly maximum. No failure opens the breaker.
 */
@Injectable()
export class Acknowledgement {
  readonly kind = 'acknowledgement';
  /** Maximum number sent at the same time. */
  readonly inParallel = 1;
  /** Forms whose acknowledgement waits until the mail is delivered or has failed. */
  readonly afterMail = FORM_KINDS;
  hourlyMax = HOURLY_MAX;
  private fullUntil = 0;
  private secret: string | undefined;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly database: Database,
    private readonly breakers: Breakers,
    private readonly mailer: Mailer,
  ) {}

  /** Whether sending is possible now. */
  get isReady(): boolean {
    return (
      this.settings.ACKNOWLEDGE === 'on' && !this.breakers.mailServer.isOpen && performance.now() >= this.fullUntil
    );
  }

  async send(submission: Submission, attempt?: Attempt): Promise<NotificationResult> {
    if (Date.now() - submission.receivedAt > DAY_MS) return { state: 'failed', error: TOO_LATE };
    const claim = await this.claim(submission);
    if (claim === 'repeated') return { state: 'failed', error: 'one a day' };
    if (claim === 'full') {
      this.fullUntil = performance.now() + FULL_PAUSE_MS;
      return { state: 'pending', error: 'too many in an hour', pauseMs: FULL_PAUSE_MS };
    }
    try {
      await this.mailer.send(acknowledgementMail(submission, this.settings), attempt);
      return { state: 'delivered' };
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      const isForGood = error.kind === 'refused' && error.isPermanent && error.area === undefined;
      return { state: isForGood ? 'failed' : 'pending', error: error.reply?.code ?? error.kind };
    }
  }

  /** Deletes addresses whose day is over. */
  async forget(): Promise<void> {
    const since = this.database.fromNow(-DAY_MS);
    await this.database.run((db) => db.deleteFrom('acknowledgements').where('sentAt', '<', since).execute());
  }

  /**
   * Claims the one mail per day for an address. A retry for the same submission keeps its claim. Only an HMAC of the
   * address is stored, without parts that mail providers ignore, such as `+tag`.
   */
  private async claim(submission: Submission): Promise<'ours' | 'repeated' | 'full'> {
    const secret = (this.secret ??= await secretOf(this.database, SECRET));
    const { id } = submission;
    const mailbox = normalizedEmail(valueOf(submission, 'email')).replace(/\+[^@]*(?=@)|\.(?=[^@]*@)/g, '');
    const mac = createHmac('sha256', secret).update(mailbox).digest('base64url');
    return this.database.run((db) =>
      db.transaction().execute(async (transaction) => {
        // Locks out other workers, so that the count stays valid. In SQLite, a transaction excludes all other writers.
        if (this.database.engine === 'postgres')
          await sql`SELECT value FROM properties WHERE name = ${SECRET} FOR UPDATE`.execute(transaction);
        const { rows: recent } = await sql`
          SELECT 1 FROM acknowledgements WHERE mailbox <> ${mac} AND sent_at > ${this.database.fromNow(-HOUR_MS)}
          LIMIT ${this.hourlyMax}`.execute(transaction);
        if (recent.length === this.hourlyMax) return 'full';
        const { rows: claimed } = await sql`
          INSERT INTO acknowledgements (mailbox, submission_id, sent_at) VALUES (${mac}, ${id}, ${this.database.now})
          ON CONFLICT (mailbox) DO UPDATE SET submission_id = excluded.submission_id, sent_at = excluded.sent_at
            WHERE acknowledgements.sent_at < ${this.database.fromNow(-DAY_MS)} OR acknowledgements.submission_id = ${id}
          RETURNING mailbox`.execute(transaction);
        return claimed.length > 0 ? 'ours' : 'repeated';
      }),
    );
  }
}
