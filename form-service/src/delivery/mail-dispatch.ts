import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/env.ts';
import { SubmissionStore } from '../storage/submission-store.ts';
import type { ApplicationSubmission, ContactSubmission, Submission } from '../storage/submission.ts';
import type { Mail } from './mails/mail.ts';
import { MailError } from './mail-error.ts';
import { Mailer } from './mailer.service.ts';
import { applicationMail, setAsideMail } from './mails/application-mail.ts';
import { enquiryMail } from './mails/enquiry-mail.ts';
import { VirusScanner } from './virus-scanner.ts';

type DispatchSettings = Pick<Settings, 'COMPANY_NAME' | 'SALES_INBOX' | 'HR_INBOX' | 'CANARY_INBOX' | 'SITE_URL' | 'TIME_ZONE'>;

/** Begins a suspicion that comes from the scan, unlike those from the screening on arrival. */
const SCAN_FINDING = 'virus scan: ';

/** A submission that was handed over: the record as it should now be stored, and in which state. */
export interface Dispatched {
  readonly submission: Submission;
  readonly state: 'delivered' | 'quarantined';
}

/** Decides which mail a submission becomes and hands it to the mailer. Changes nothing in the store. */
@Injectable()
export class MailDispatch {
  constructor(
    @Inject(SETTINGS) private readonly settings: DispatchSettings,
    @Inject(SubmissionStore) private readonly store: SubmissionStore,
    @Inject(Mailer) private readonly mailer: Mailer,
    @Inject(VirusScanner) private readonly scanner: VirusScanner,
  ) {}

  /** Whether a file must be scanned first. One that was released after a scan had found something was judged by a person. */
  needsScan(submission: Submission): submission is ApplicationSubmission {
    const isJudged = submission.delivery.releasedAt !== undefined && submission.suspicions?.some((one) => one.startsWith(SCAN_FINDING));
    return this.scanner.isEnabled && submission.form === 'application' && !isJudged;
  }

  /**
   * @throws MailError
   * @throws ScannerUnavailableError when a file could not be scanned: it is never mailed unscanned
   */
  async dispatch(submission: Submission): Promise<Dispatched> {
    const finding = this.needsScan(submission) ? await this.scanner.scan(() => this.store.openResume(submission.id)) : undefined;
    if (finding !== undefined && submission.form === 'application') {
      await this.mailer.send(setAsideMail(submission, this.settings, finding));
      const suspicions = [...(submission.suspicions ?? []), `${SCAN_FINDING}${finding}`];
      return { submission: { ...submission, suspicions }, state: 'quarantined' };
    }
    if (submission.form === 'application') await this.sendApplication(submission);
    else await this.sendEnquiry(submission);
    const delivery = { ...submission.delivery, deliveredAt: new Date().toISOString() };
    return { submission: { ...submission, delivery }, state: 'delivered' };
  }

  /** One of our own goes to its own inbox; where none is set any more, to nobody. */
  private async sendEnquiry(submission: ContactSubmission): Promise<void> {
    const mail = enquiryMail(submission, this.settings);
    if (!submission.canary) await this.mailer.send(mail);
    else if (this.settings.CANARY_INBOX) await this.mailer.send({ ...mail, to: this.settings.CANARY_INBOX });
  }

  /** Where the server does not take the file, the rest arrives and says how to get it. */
  private async sendApplication(submission: ApplicationSubmission): Promise<void> {
    try {
      await this.mailer.send(this.composeApplication(submission));
    } catch (error) {
      if (!(error instanceof MailError) || error.kind !== 'too-large') throw error;
      await this.mailer.send(applicationMail(submission, this.settings, 'left out'));
    }
  }

  private composeApplication(submission: ApplicationSubmission): Mail {
    return applicationMail(submission, this.settings, { attached: () => this.store.openResume(submission.id) });
  }
}
