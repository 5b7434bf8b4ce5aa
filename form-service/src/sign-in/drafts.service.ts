import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { InboxUser } from '../config/inbox-users.ts';
import { Database } from '../database/database.ts';
import { clearCookie, readCookie, seal, setCookie, unseal } from '../http/cookies.ts';
import { readForm, textOf } from './form-body.ts';
import { inboxKey } from './inbox-keys.ts';
import { pathOf } from './same-origin.ts';
import { Sessions } from './sessions.service.ts';

/** A draft is kept for this long. */
const LIFETIME_MS = 15 * 60_000;

const COOKIE = 'inbox-draft';

/** Browsers keep cookies of up to 4,096 characters, name and attributes included. Every note that can be saved fits. */
const SEALED_MAX_CHARS = 3_700;

/** The only POST with text that a person has typed, apart from the sign-in. */
const NOTE = /^\/inbox\/([\w-]+)\/note\/?$/;

/** Note that was posted into an ended session. */
interface Draft {
  /** User whose session it was. */
  readonly name: string;
  /** Reference of the submission on whose page it was typed. */
  readonly id: string;
  readonly text: string;
  readonly until: number;
}

/** Note of a request without a session, and whether it is back in its field after the sign-in. */
interface Posted {
  readonly text: string;
  readonly isKept: boolean;
}

/**
 * Keeps a note that was posted into an ended session until its author has signed in. It is sealed into a cookie of the
 * browser that sent it, so the server stores nothing that nobody has saved. `Lax` cookies survive single sign-on.
 */
@Injectable()
export class Drafts {
  constructor(
    private readonly database: Database,
    private readonly sessions: Sessions,
  ) {}

  /** Keeps the note of a request that has an ended session of a user. @returns the note, if the request has one */
  async keep(request: Request, response: Response): Promise<Posted | undefined> {
    const [, id] = NOTE.exec(pathOf(request)) ?? [];
    const text = id && textOf(await readForm(request), 'note');
    if (!text) return undefined;
    const user = await this.sessions.formerUser(request);
    if (!user) return { text, isKept: false };
    const draft: Draft = { name: user.name, id, text, until: Date.now() + LIFETIME_MS };
    const sealed = seal(draft, await this.key());
    const isKept = sealed.length <= SEALED_MAX_CHARS && !(await this.hasAnother(draft, request));
    if (isKept) setCookie(request, response, COOKIE, sealed, LIFETIME_MS);
    return { text, isKept };
  }

  /** Makes the user's draft available to {@link draftOf}. Removes one of another user, or that is not valid. */
  async restore(user: InboxUser, request: Request, response: Response): Promise<void> {
    if (readCookie(request, COOKIE) === '') return;
    const draft = await this.read(request);
    if (draft?.name === user.name) response.locals['draft'] = draft;
    else clearDraft(request, response);
  }

  /** Whether the browser has a draft, for the page that asks to sign in. */
  async isKept(request: Request): Promise<boolean> {
    return readCookie(request, COOKIE) !== '' && (await this.read(request)) !== undefined;
  }

  /** Whether the browser keeps another note of the user, such as that of another tab. It stays. */
  private async hasAnother({ name, id, text }: Draft, request: Request): Promise<boolean> {
    const kept = await this.read(request);
    return kept?.name === name && (kept.id !== id || kept.text !== text);
  }

  private async read(request: Request): Promise<Draft | undefined> {
    const draft = unseal<Draft>(readCookie(request, COOKIE), await this.key());
    return draft && Date.now() < draft.until ? draft : undefined;
  }

  private key = () => inboxKey(this.database, 'draft');
}

/** Returns the user's unsaved note on this submission, if there is one. */
export function draftOf(response: Response, id: string): string | undefined {
  const { draft } = response.locals as { draft?: Draft };
  return draft?.id === id ? draft.text : undefined;
}

export function clearDraft(request: Request, response: Response): void {
  clearCookie(request, response, COOKIE);
}
