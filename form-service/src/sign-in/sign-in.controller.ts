import { Controller, Get, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OIDC, type InboxUser } from '../settings/inbox-users.ts';
import { SETTINGS, type Settings } from '../settings/settings.ts';
import { clientKey } from '../http/request-context.middleware.ts';
import { HttpError } from '../http/http-error.ts';
import { Log } from '../observability/log.ts';
import { readForm } from './request.ts';
import { OpenIdConnect, providerName, SignInRefusedError } from './open-id-connect.service.ts';
import { readPage } from './page.ts';
import { PasswordQueue } from './password.ts';
import { returnPath } from './request.ts';
import { Sessions } from './sessions.service.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('signIn');

const fillSignIn = readPage('sign-in', import.meta.url);
const fillToProvider = readPage('to-provider', import.meta.url);

type Method = 'password' | 'oidc';

/** Signs users of the inbox in and out. Logs it without what was typed. */
@Controller('inbox')
export class SignInController {
  private readonly log = new Log('Inbox');

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly openId: OpenIdConnect,
    private readonly passwords: PasswordQueue,
    private readonly sessions: Sessions,
  ) {}

  @Get('sign-in')
  show(@Query() query: Readonly<Record<string, unknown>>, @Res() response: Response): void {
    const to = returnPath(query['to']);
    if (response.locals['user']) return response.redirect(303, to);
    const provider = providerName(this.settings);
    const left = query['left'] !== undefined && provider ? words.signedOut({ provider }) : '';
    this.page(response, to, { notice: query['ended'] === undefined ? left : words.ended });
  }

  @Post('sign-in')
  @HttpCode(200)
  async signIn(@Req() request: Request, @Res() response: Response): Promise<void> {
    const form = await readForm(request);
    const [name, to] = [(form.get('name') ?? '').trim(), returnPath(form.get('to'))];
    try {
      const user = await this.passwords.findUser(this.settings.INBOX_USERS ?? [], name, form.get('password') ?? '');
      if (!user) throw new SignInRefusedError('name or password', words.wrong);
      await this.enter(user, 'password', request, response);
      response.redirect(303, to);
    } catch (error) {
      this.refuse(error, 'password', request, response, to, name);
    }
  }

  /**
   * Leads to the OpenID Connect provider. By POST, so that no link of another site starts a session. Browsers apply
   * `form-action` to redirects, so a page leads on.
   */
  @Post('sign-in/oidc')
  @HttpCode(200)
  async begin(@Req() request: Request, @Res() response: Response): Promise<void> {
    const to = returnPath((await readForm(request)).get('to'));
    try {
      const { href } = await this.openId.begin(to, request, response);
      const frame = { company: this.settings.COMPANY_NAME, user: undefined };
      const provider = providerName(this.settings) ?? '';
      const page = fillToProvider(frame, { title: words.with({ provider }), provider, href });
      response.set('Refresh', `0; url=${href}`).type('html').send(page);
    } catch (error) {
      this.refuse(error, 'oidc', request, response, to);
    }
  }

  /** The provider sends the browser back to here. */
  @Get('sign-in/callback')
  async finish(@Req() request: Request, @Res() response: Response): Promise<void> {
    let to = '/inbox';
    try {
      const transaction = await this.openId.take(request, response);
      to = transaction.to;
      await this.enter(await this.openId.finish(transaction, request), 'oidc', request, response);
      response.redirect(303, to);
    } catch (error) {
      // The user went back to this address, or reloaded it.
      const isOver = error instanceof SignInRefusedError && error.why === 'state';
      if (isOver && response.locals['user']) return response.redirect(303, '/inbox');
      this.refuse(error, 'oidc', request, response, to);
    }
  }

  @Post('sign-out')
  async signOut(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { user } = response.locals as { user?: InboxUser };
    const isEverywhere = (await readForm(request)).has('everywhere');
    if (user) {
      await this.sessions.end(user, isEverywhere, request, response);
      const how: Method = user.hash === OIDC ? 'oidc' : 'password';
      this.log.log({ event: 'signed out', by: user.name, how, network: networkOf(request) });
      // Pages that the browser keeps for its Back button show what the user saw.
      response.set('Clear-Site-Data', '"cache"');
    }
    response.redirect(303, '/inbox/sign-in?left=yes');
  }

  private async enter(user: InboxUser, how: Method, request: Request, response: Response): Promise<void> {
    await this.sessions.start(user, request, response);
    this.log.log({ event: 'signed in', by: user.name, how, network: networkOf(request) });
  }

  /**
   * Shows the sign-in with the reason why it failed. Logs a refusal. A name is logged only if a user has it:
   * others may be a password in the wrong field.
   */
  private refuse(error: unknown, how: Method, request: Request, response: Response, to: string, name = ''): void {
    if (!(error instanceof HttpError) || error.reason === 'not-found') throw error;
    if (error instanceof SignInRefusedError) {
      const by = this.settings.INBOX_USERS?.find((user) => user.name === name)?.name;
      const { why: reason, code } = error;
      this.log.warn({ event: 'sign-in refused', by, how, network: networkOf(request), reason, code });
    }
    const { retryAfterSeconds } = error.details;
    if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
    this.page(response.status(error.status), to, { error: error.message, name });
  }

  private page(response: Response, to: string, { name = '', error = '', notice = '' }): void {
    const { COMPANY_NAME: company, INBOX_USERS: users = [] } = this.settings;
    const provider = providerName(this.settings);
    const hasPasswords = users.some(({ hash }) => hash !== OIDC);
    const page = fillSignIn(
      { company, user: undefined },
      {
        title: error ? words.error : words.title,
        name,
        error,
        notice,
        to,
        single: provider && words.with({ provider }),
        hasPasswords,
        hasBoth: provider && hasPasswords,
      },
    );
    response.type('html').send(page);
  }
}

const networkOf = ({ ip }: Request) => clientKey(ip);
