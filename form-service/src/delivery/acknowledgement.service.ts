import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '../settings/durations.ts';
import { SETTINGS, type Settings } from '../settings/settings.ts';
import { FORM_KINDS, valueOf } from '../contract/forms.ts';
import { Database } from '../database/database.ts';
import { secretOf } from '../database/properties.ts';
import { DeliveryError, GivenUp, Postponed } from '../outbox/attempt.ts';
import { Mailer } from '../mail/mailer.service.ts';
import { acknowledgementMail } from '../mail/mails/acknowledgement-mail.ts';
import type { Submission } from '../submissions/submission.ts';
import { normalizedEmail } from '../submissions/search-terms.ts';
import type { Channel } from './notifications.service.ts';

/** Maximum number of acknowledgements per hour. The others wait. */
const HOURLY_MAX = 100;

/** Property of the installation with the HMAC key. */
const SECRET = 'acknowledgement-secret';

/**
 * Acknowledges submissions by mail. A visitor can type any address (backscatter), so each address gets one mail a day,
 * without visitors' text and within an hourly maximum. A permanent refusal is final: visitors mistype their addresses.
 */
@Injectable()
export class Acknowledgement implements Channel {
  readonly kind = 'acknowledgement';
  readonly inParallel = 1;
  readonly afterMail = FORM_KINDS;
  readonly isEnabled: boolean;
  hourlyMax = HOURLY_MAX;
  private secret: string | undefined;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly database: Database,
    private readonly mailer: Mailer,
  ) {
    this.isEnabled = settings.ACKNOWLEDGE === 'on';
  }

  async send(submission: Submission, signal?: AbortSignal): Promise<void> {
    // After a day it no longer helps the visitor.
    if (Date.now() - submission.receivedAt > DAY_MS) throw new GivenUp('too late');
    const claim = await this.claim(submission);
    if (claim === 'repeated') throw new GivenUp('one a day');
    if (claim === 'full') throw new Postponed('too many in an hour');
    try {
      await this.mailer.send(acknowledgementMail(submission, this.settings), signal);
    } catch (error) {
      const isFinal = error instanceof DeliveryError && error.isPermanent;
      throw isFinal ? new GivenUp(error.reply?.code ?? error.reason) : error;
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
