import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { SETTINGS, type Settings } from '../settings/settings.ts';
import { HttpError } from '../http/http-error.ts';
import { userOf } from '../sign-in/login.middleware.ts';
import type { Frame } from '../sign-in/page.ts';
import { HandlingRepository } from '../submissions/handling.repository.ts';
import type { RecipientSettings } from '../submissions/recipients.ts';
import { scopeOf, type Scope } from '../submissions/scope.ts';
import { HANDLED, isSubmissionId, type Handled, type Submission } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import type { Marks } from './list-page.ts';
import { searchOf, type Search } from './search.ts';
import { serviceWords } from '../contract/service-words.ts';

/** Parameters of an address. They may be repeated or missing. */
export type QueryParameters = Readonly<Record<string, unknown>>;

/** A number of a form or an address: a version, or a time in milliseconds since the epoch. */
export const numberOf = (text: unknown): number | undefined =>
  typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

/** The list that a form or link leads back to. Only an address of a list is one. */
export function backOf(value: unknown): string {
  return typeof value === 'string' && /^\/inbox(?:\?[\w=&%+.*-]{0,2000})?$/.test(value) ? value : '/inbox';
}

/** @throws HttpError 400 */
export function handledOf(value: unknown): Handled {
  const handled = HANDLED.find((one) => one === value);
  if (!handled) throw new HttpError('malformed', serviceWords('inbox').errors.doneOrSpam);
  return handled;
}

export const nothing = () => new HttpError('not-found', serviceWords('inbox').errors.nothing);

/** The part of the inbox that the user of a response may see. What the user's role may not see answers 404. */
@Injectable()
export class InboxAccess {
  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'COMPANY_NAME'> & RecipientSettings,
    private readonly submissions: SubmissionsRepository,
    private readonly handling: HandlingRepository,
  ) {}

  /** The search of a list at an address. */
  searchBy(query: QueryParameters, response: Response): Search {
    return searchOf(this.scopeOf(response), query, userOf(response).name);
  }

  /** @throws HttpError 404 */
  async found(reference: unknown, response: Response): Promise<Submission> {
    if (typeof reference !== 'string' || !isSubmissionId(reference)) throw nothing();
    const found = await this.submissions.find(reference, this.scopeOf(response));
    if (!found) throw nothing();
    return found;
  }

  /** Returns which submissions the user may see. */
  scopeOf(response: Response): Scope {
    return scopeOf(userOf(response), this.settings);
  }

  /** Submissions that the user has just marked, at the time of an address. */
  async marksBy(query: QueryParameters, response: Response): Promise<Marks | undefined> {
    const at = numberOf(query['marked']);
    if (at === undefined) return undefined;
    const marks = await this.handling.countMarked(userOf(response).name, at, this.scopeOf(response));
    return marks && { ...marks, at };
  }

  frame(response: Response): Frame {
    return { company: this.settings.COMPANY_NAME, user: userOf(response) };
  }
}
