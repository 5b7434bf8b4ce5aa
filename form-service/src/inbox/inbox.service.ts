import { Inject, Injectable } from '@nestjs/common';
import type { InboxUser, Role } from '../config/inbox-users.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { Database } from '../database/database.ts';
import { FollowUpsRepository } from '../follow-ups/follow-ups.repository.ts';
import { ResumeFiles } from '../submissions/resume-files.ts';
import { isSubmissionId } from '../submissions/submission-id.ts';
import { SUBMISSION_STATES, type FormKind, type Submission, type SubmissionState } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import type { Day } from './chart.ts';
import type { Search } from './list-page.ts';
import { senderName } from '../submissions/words.ts';

/** Which forms' submissions a role sees. */
const ROLES: Readonly<Record<Role, readonly FormKind[]>> = {
  sales: ['contact'],
  hr: ['application'],
  all: ['contact', 'application'],
};

export const PAGE_ROWS = 50;
/** A search looks at so many rows at a time. */
const SCANNED_ROWS = 500;
const DAYS = 30;
const DAY_MS = 86_400_000;
const WAITING: readonly SubmissionState[] = ['quarantined', 'failed'];

/** What the users of the inbox read and do; each sees and changes only what the role allows. */
@Injectable()
export class InboxService {
  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'TIME_ZONE' | 'SUBMISSION_WEBHOOK_URL'>,
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

  /** What waits for a person, the newest first, and how much of it there is. */
  async waiting(user: InboxUser): Promise<{ readonly rows: readonly Submission[]; readonly count: number }> {
    const forms = ROLES[user.role];
    const [rows, count] = await Promise.all([
      this.submissions.newest(forms, WAITING, PAGE_ROWS),
      this.submissions.count(forms, WAITING),
    ]);
    return { rows, count };
  }

  /** Everything that fits, the newest first. @param after where the page before ended, as {@link placeOf} says it */
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

  /** What was received on each of the last 30 days, by what became of it. */
  async days(user: InboxUser): Promise<Day[]> {
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: this.settings.TIME_ZONE, dateStyle: 'short' });
    const now = Date.now();
    const days = new Map<string, { delivered: number; heldBack: number; other: number }>();
    for (let ago = DAYS - 1; ago >= 0; ago--)
      days.set(day.format(now - ago * DAY_MS), { delivered: 0, heldBack: 0, other: 0 });
    for (const { hour, state, count } of await this.submissions.countsByHour(ROLES[user.role], now - DAYS * DAY_MS)) {
      const counts = days.get(day.format(hour));
      if (counts) counts[state === 'delivered' ? 'delivered' : state === 'quarantined' ? 'heldBack' : 'other'] += count;
    }
    return [...days].map(([date, counts]) => ({ date, ...counts }));
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
    for (const one of erased) if (one.form === 'application') await this.files.remove(one.resume.key);
    await this.database.removeCopies();
    return erased.length > 0;
  }
}

type Place = Pick<Submission, 'receivedAt' | 'id'>;

/** Where a page ends, for the address of the next one. */
export const placeOf = ({ receivedAt, id }: Place): string => `${receivedAt}.${id}`;

function placeFrom(text = ''): Place | undefined {
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
