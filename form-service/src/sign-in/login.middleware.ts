import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { InboxUser } from '../settings/inbox-users.ts';
import { SETTINGS, type Settings } from '../settings/settings.ts';
import { HttpError, notFound } from '../http/http-error.ts';
import { NO_STORE } from '../http/respond.ts';
import { readForm, textOf } from './request.ts';
import { unsavedNotePage } from './page.ts';
import { hostOf, isFromOurPages, isNavigation, isPrivateConnection, pathOf, returnPathOf } from './request.ts';
import { Sessions } from './sessions.service.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('signIn');

/**
 * A page is for one user at one time: browsers, proxies and search engines keep nothing, and proxies change nothing. The policy is the site's own
 * without script, and no page can be framed.
 */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Cache-Control': NO_STORE,
  'X-Robots-Tag': 'noindex, nofollow',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** Paths that need no session: the sign-in with its paths for OpenID Connect, and the sign-out. */
const OPEN = /^\/inbox\/sign-(?:in(?:\/(?:oidc|callback))?|out)\/?$/;

/** The user who has signed in, set by {@link LoginMiddleware} before any controller runs. */
export function userOf(response: Response): InboxUser {
  return (response.locals as { user: InboxUser }).user;
}

/** Admits only users of `INBOX_USERS` who have signed in, over TLS or from this machine. Others get to the sign-in. */
@Injectable()
export class LoginMiddleware implements NestMiddleware {
  constructor(
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'COMPANY_NAME' | 'INBOX_USERS' | 'INBOX_URL'>,
    private readonly sessions: Sessions,
  ) {}

  /** @throws HttpError 403 or 404 */
  async use(request: Request, response: Response, next: NextFunction): Promise<void> {
    response.set(HEADERS);
    if (!this.settings.INBOX_USERS) throw notFound();
    const { INBOX_URL } = this.settings;
    // Links in earlier mails lead to the host of the site. Proxies may change the port.
    if (INBOX_URL && new URL(INBOX_URL).hostname !== URL.parse(`http://${hostOf(request)}`)?.hostname)
      return response.redirect(303, new URL(returnPathOf(request), INBOX_URL).href);
    if (!isPrivateConnection(request)) throw new HttpError('forbidden', words.onlyHttps);
    if (!isFromOurPages(request)) throw new HttpError('forbidden', words.otherSite);
    if (!isNavigation(request)) throw new HttpError('forbidden', words.program);
    const user = await this.sessions.resume(request, response);
    if (!user && !OPEN.test(pathOf(request))) return this.leadToSignIn(request, response);
    response.locals['user'] = user;
    next();
  }

  /** Redirects to the sign-in. A note that was posted into an ended session is shown instead, for copying. */
  private async leadToSignIn(request: Request, response: Response): Promise<void> {
    const note = request.method === 'POST' ? textOf(await readForm(request), 'note') : '';
    if (note) this.showNote(note, signInPath(request), response);
    else response.redirect(303, signInPath(request));
  }

  private showNote(text: string, href: string, response: Response): void {
    const frame = { company: this.settings.COMPANY_NAME, user: undefined };
    response
      .status(403)
      .type('html')
      .send(unsavedNotePage(frame, { why: words.copyNote, text, href, link: words.title }));
  }
}

/** Path of the sign-in, from where the user gets to the page that this request asked for. */
function signInPath(request: Request): string {
  const query = new URLSearchParams({ to: returnPathOf(request) });
  // The page says that the action was not done.
  if (request.method === 'POST') query.set('ended', 'yes');
  return `/inbox/sign-in?${query}`;
}
