import type { InboxUser } from '../config/inbox-users.ts';
import type { SubmissionState } from '../submissions/submission.ts';
import { STATE_WORDS } from '../submissions/words.ts';
import { readTemplate, type Values } from '../template.ts';

/** What every page shows beside its content: whose inbox it is, and who has signed in. */
export interface Frame {
  readonly company: string;
  readonly user: InboxUser | undefined;
}

const FRAME = new URL('pages/frame.html', import.meta.url);

const SEES = { sales: 'enquiries', hr: 'applications', all: 'everything' } as const;

/** Reads a page of the folder `pages`. @returns what fills it */
export function readPage(name: string): (frame: Frame, values: Values) => string {
  const fill = readTemplate(new URL(`pages/${name}.html`, import.meta.url), FRAME);
  return ({ company, user }, values) =>
    fill({ ...values, company, user: user && { name: user.name, sees: SEES[user.role] } });
}

const BADGES: Readonly<Record<SubmissionState, string>> = {
  pending: 'border-edge',
  delivered: 'border-success text-success',
  failed: 'border-error text-error',
  quarantined: 'border-signal text-signal',
};

/** The slots of a state: its words and its colours. */
export const stateSlots = (state: SubmissionState) => ({ state: STATE_WORDS[state], badge: BADGES[state] });

/** The slots of a time: as people say it, and the machine's form. */
export function timeSlots(time: number, timeZone: string): { readonly words: string; readonly iso: string } {
  const format = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  });
  return { words: format.format(time), iso: new Date(time).toISOString() };
}
