import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/env.ts';
import { NOTES } from '../documents/notes.ts';
import { reviewStream } from '../documents/review-document.ts';
import { SubmissionStore } from '../storage/submission-store.ts';
import type { ApplicationSubmission, ContactSubmission, Submission } from '../storage/submission.ts';
import type { Mail } from './mail.ts';
import { MailFailure } from './mail-failure.ts';
import { Mailer } from './mailer.ts';
import { applicationMail, setAsideMail } from './templates/application-mail.ts';
import { enquiryMail } from './templates/enquiry-mail.ts';
import { VirusScanner } from './virus-scanner.ts';

type DispatchSettings = Pick<Settings, 'SALES_INBOX' | 'HR_INBOX' | 'CANARY_INBOX' | 'SITE_URL'>;

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
   * @throws MailFailure
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
    const reviewed = await this.withNotes(submission);
    try {
      await this.mailer.send(this.composeApplication(reviewed));
    } catch (error) {
      if (!(error instanceof MailFailure) || error.kind !== 'too large') throw error;
      await this.mailer.send(applicationMail(reviewed, this.settings, 'left out'));
    }
  }

  /** With what the file's review found worth telling HR. */
  private async withNotes(submission: ApplicationSubmission): Promise<ApplicationSubmission> {
    const notes = await reviewStream(() => this.store.openResume(submission.id));
    const warnings = new Set([...submission.resume.warnings, ...notes.map((note) => NOTES[note])]);
    return { ...submission, resume: { ...submission.resume, warnings: [...warnings] } };
  }

  private composeApplication(submission: ApplicationSubmission): Mail {
    return applicationMail(submission, this.settings, { attached: () => this.store.openResume(submission.id) });
  }
}
