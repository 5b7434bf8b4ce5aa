import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { ResumeFiles } from '../submissions/resume-files.ts';
import type { ApplicationSubmission, Submission } from '../submissions/submission.ts';
import { MailError } from './mail-error.ts';
import { Mailer } from './mailer.service.ts';
import { applicationMail, quarantinedMail } from './mails/application-mail.ts';
import { enquiryMail } from './mails/enquiry-mail.ts';
import { VirusScanner } from './virus-scanner.service.ts';

type DispatchSettings = Pick<Settings, 'COMPANY_NAME' | 'SALES_INBOX' | 'HR_INBOX' | 'SITE_URL' | 'TIME_ZONE'>;

/** The prefix of a reason that comes from the virus scan and not from the spam filter. */
const SCAN_FINDING = 'virus scan: ';

/** The result of handing a submission over. */
export interface DispatchResult {
  readonly state: 'delivered' | 'quarantined';
  readonly reasons?: readonly string[];
}

/** Decides which mail a submission becomes and hands it to the mailer. It changes nothing in the database. */
@Injectable()
export class MailDispatch {
  constructor(
    @Inject(SETTINGS) private readonly settings: DispatchSettings,
    private readonly files: ResumeFiles,
    private readonly mailer: Mailer,
    private readonly scanner: VirusScanner,
  ) {}

  /**
   * Whether the file must be scanned first. A submission that was released after a finding of the scan was judged by a
   * person.
   */
  needsScan(submission: Submission): submission is ApplicationSubmission {
    const isJudged = submission.releasedAt !== null && submission.reasons.some((one) => one.startsWith(SCAN_FINDING));
    return this.scanner.isEnabled && submission.form === 'application' && !isJudged;
  }

  /**
   * @throws MailError
   * @throws ScannerUnavailableError when a file could not be scanned: it is never mailed unscanned
   */
  async dispatch(submission: Submission): Promise<DispatchResult> {
    const finding = this.needsScan(submission)
      ? await this.scanner.scan(() => this.files.open(submission.resume.key))
      : undefined;
    if (finding !== undefined && submission.form === 'application') {
      await this.mailer.send(quarantinedMail(submission, this.settings, finding));
      return { state: 'quarantined', reasons: [...submission.reasons, `${SCAN_FINDING}${finding}`] };
    }
    if (submission.form === 'application') await this.sendApplication(submission);
    else await this.mailer.send(enquiryMail(submission, this.settings));
    return { state: 'delivered' };
  }

  /** Sends an application. Where the server does not take the file, the rest is sent and says how to get the file. */
  private async sendApplication(submission: ApplicationSubmission): Promise<void> {
    const open = () => this.files.open(submission.resume.key);
    try {
      await this.mailer.send(applicationMail(submission, this.settings, { attached: open }));
    } catch (error) {
      if (!(error instanceof MailError) || error.kind !== 'too-large') throw error;
      await this.mailer.send(applicationMail(submission, this.settings, 'left out'));
    }
  }
}
