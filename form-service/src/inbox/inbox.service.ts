import { Inject, Injectable } from '@nestjs/common';
import type { InboxUser, Role } from '../config/inbox-users.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { Database } from '../database/database.ts';
import { FollowUpsRepository } from '../follow-ups/follow-ups.repository.ts';
import { ResumeFiles } from '../submissions/resume-files.ts';
import { isSubmissionId } from '../submissions/submission-id.ts';
import { SUBMISSION_STATES, type FormKind, type Submission, type SubmissionState } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { senderName } from '../submissions/words.ts';
import { CHART_MS } from './chart.ts';
import type { ListContent, Search } from './list-page.ts';

/** Which forms' submissions a role sees. */
const ROLES: Readonly<Record<Role, readonly FormKind[]>> = {
  sales: ['contact'],
  hr: ['application'],
  all: ['contact', 'application'],
};

const PAGE_ROWS = 50;
/** A search looks at so many rows at a time. */
const SCANNED_ROWS = 500;
const WAITING: readonly SubmissionState[] = ['quarantined', 'failed'];

/** What the users of the inbox read and do; each sees and changes only what the role allows. */
@Injectable()
export class InboxService {
  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'SUBMISSION_WEBHOOK_URL'>,
    private readonly submissions: SubmissionsRepository,
    private readonly files: ResumeFiles,
    private readonly database: Database,
    private readonly followUps: FollowUpsRepository,
  ) {}

  /** The submission with this reference, or undefined where there is none that the role may see. */
  async find(user: InboxUser, reference: string): Promise<Submission | undefined> {
    const found = isSubmissionId(reference) ? await this.submissions.find(reference) : undefined;
    return found && ROLES[user.role].includes(found.form) ? found : undefined;
  }

  /** A page of what fits. The first one of all begins with what waits for a person. */
  async page(user: InboxUser, search: Search, after?: string): Promise<ListContent> {
    const forms = ROLES[user.role];
    const isFirst = search.state === undefined && search.text === '' && after === undefined;
    const waitingCount = await this.submissions.count(forms, WAITING);
    const waiting = isFirst ? await this.submissions.newest(forms, WAITING, PAGE_ROWS) : [];
    const hours = isFirst ? await this.submissions.countsByHour(forms, Date.now() - CHART_MS) : [];
    const shown = new Set(waiting.map(({ id }) => id));
    const found: Submission[] = [];
    let next: string | undefined;
    for await (const one of this.search(user, search, after)) {
      if (shown.has(one.id)) continue;
      const last = found.at(-1);
      if (found.length === PAGE_ROWS && last) {
        next = `${last.receivedAt}.${last.id}`;
        break;
      }
      found.push(one);
    }
    return { search, waiting, waitingCount, found, next, hours };
  }

  /** Everything that fits, the newest first. @param after where the page before ended */
  async *search(user: InboxUser, { state, text }: Search, after?: string): AsyncGenerator<Submission> {
    const states = state ? [state] : SUBMISSION_STATES;
    const wanted = folded(text);
    const limit = wanted === '' ? PAGE_ROWS : SCANNED_ROWS;
    let last = placeFrom(after);
    for (;;) {
      const rows = await this.submissions.newest(ROLES[user.role], states, limit, last);
      for (const one of rows) if (wanted === '' || fits(one, wanted)) yield one;
      last = rows.at(-1);
      if (rows.length < limit) return;
    }
  }

  /** Makes a submission pending again, and a post to the webhook that was given up. Of two users who do so at once, one does it. */
  async sendAgain(user: InboxUser, { id, state }: Submission): Promise<boolean> {
    const released = state === 'quarantined';
    const followUps = released && this.settings.SUBMISSION_WEBHOOK_URL ? (['webhook'] as const) : [];
    const changed = await this.submissions.requeue([id], [state], { released, by: user.name, followUps });
    if (changed.length === 0) return false;
    await this.followUps.renewPosts(changed);
    return true;
  }

  /** @returns false while the submission is being delivered */
  async erase({ id }: Submission): Promise<boolean> {
    const erased = await this.submissions.erase([id]);
    for (const { resume } of erased) if (resume) await this.files.remove(resume.key);
    await this.database.removeCopies();
    return erased.length > 0;
  }
}

/** The last submission of a page, from the address of the next one. */
function placeFrom(text = ''): Pick<Submission, 'receivedAt' | 'id'> | undefined {
  const [, receivedAt, id] = /^(\d{1,15})\.(KW-[0-9A-Z-]{19})$/.exec(text) ?? [];
  return receivedAt && id ? { receivedAt: Number(receivedAt), id } : undefined;
}

/** Text in which people find what they look for: without case, accents and direction marks. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .trim();
}

function fits(submission: Submission, wanted: string): boolean {
  return [senderName(submission), submission.fields.email, submission.id].some((text) => folded(text).includes(wanted));
}
