import { Controller, Get, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OIDC, type InboxUser } from '../config/inbox-users.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { clientKey } from '../http/client-network.ts';
import { HttpError } from '../http/http-error.ts';
import { Log } from '../observability/log.ts';
import { clearDraft, Drafts } from './drafts.service.ts';
import { readForm } from './form-body.ts';
import { OpenIdConnect, providerName } from './open-id-connect.service.ts';
import { readPage } from './page.ts';
import { findUser } from './password.ts';
import { returnPath } from './same-origin.ts';
import { Sessions } from './sessions.service.ts';
import { SignInAttempts } from './sign-in-attempts.service.ts';
import { SignInRefusedError } from './sign-in-refused.error.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('signIn');

const fillSignIn = readPage('sign-in', import.meta.url);
const fillToProvider = readPage('to-provider', import.meta.url);

type Method = 'password' | 'oidc';

/** Signs users of the inbox in and out. Logs it without what was typed, and counts it. */
@Controller('inbox')
export class SignInController {
  private readonly log = new Log('Inbox');

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly attempts: SignInAttempts,
    private readonly drafts: Drafts,
    private readonly openId: OpenIdConnect,
    private readonly sessions: Sessions,
  ) {}

  @Get('sign-in')
  async show(
    @Query('to') to: unknown,
    @Query('ended') ended: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (response.locals['user']) return response.redirect(303, returnPath(to));
    await this.page(request, response, returnPath(to), { notice: ended === undefined ? '' : words.ended });
  }

  @Post('sign-in')
  @HttpCode(200)
  async signIn(@Req() request: Request, @Res() response: Response): Promise<void> {
    const form = await readForm(request);
    const [name, to] = [(form.get('name') ?? '').trim(), returnPath(form.get('to'))];
    try {
      const verify = () => findUser(this.settings.INBOX_USERS ?? [], name, form.get('password') ?? '');
      const user = await this.attempts.attempt(request.ip ?? '', name, verify);
      if (!user) throw new SignInRefusedError('name or password', words.wrong);
      await this.enter(user, 'password', request, response);
      response.redirect(303, to);
    } catch (error) {
      this.logRefusal(error, 'password', request, name);
      const isBusy = error instanceof HttpError && error.reason === 'unavailable';
      // In a flood of attempts, a page for each would slow down the users who have signed in.
      if (isBusy) return void response.status(503).set('Retry-After', '2').type('text').send(error.message);
      await this.refuse(error, request, response, to, name);
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
      await this.refuse(error, request, response, to);
    }
  }

  /** The provider sends the browser back to here. */
  @Get('sign-in/callback')
  async finish(@Req() request: Request, @Res() response: Response): Promise<void> {
    try {
      const answer = await this.openId.finish(request, response);
      if ('again' in answer) return response.redirect(303, answer.again.href);
      await this.enter(answer.user, 'oidc', request, response);
      this.attempts.countSuccess();
      response.redirect(303, answer.to);
    } catch (error) {
      const isRefused = error instanceof SignInRefusedError;
      // The user went back to this address, or reloaded it.
      if (isRefused && error.why === 'state' && response.locals['user']) return response.redirect(303, '/inbox');
      if (isRefused) this.attempts.countFailure();
      this.logRefusal(error, 'oidc', request);
      await this.refuse(error, request, response, (isRefused && error.refusal.to) || '/inbox');
    }
  }

  @Post('sign-out')
  async signOut(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { user } = response.locals as { user?: InboxUser };
    const isEverywhere = (await readForm(request)).has('everywhere');
    if (user) await this.sessions.end(user, isEverywhere, request, response);
    clearDraft(request, response);
    this.openId.askForAccount(request, response);
    // The provider's session may outlive ours.
    if (!user) return response.redirect(303, '/inbox/sign-in?to=%2Finbox&ended=yes');
    const how: Method = user.hash === OIDC ? 'oidc' : 'password';
    this.log.log({ event: 'signed out', by: user.name, how, network: networkOf(request) });
    // Pages that the browser keeps for its Back button show what the user saw.
    response.set('Clear-Site-Data', '"cache"').redirect(303, '/inbox/sign-in');
  }

  private async enter(user: InboxUser, how: Method, request: Request, response: Response): Promise<void> {
    await this.sessions.start(user, request, response);
    this.log.log({ event: 'signed in', by: user.name, how, network: networkOf(request) });
  }

  /** Logs a refusal. A name is logged only if a user has it: others may be a password in the wrong field. */
  private logRefusal(error: unknown, how: Method, request: Request, name?: string): void {
    const refused = error instanceof SignInRefusedError ? error : undefined;
    const isLimited = error instanceof HttpError && error.reason === 'rate-limited';
    if (!refused && !isLimited) return;
    this.log.warn({
      event: 'sign-in refused',
      by: this.settings.INBOX_USERS?.find((user) => user.name === name)?.name,
      how,
      network: networkOf(request),
      reason: refused?.why ?? 'too many tries',
      code: refused?.refusal.code,
    });
  }

  /** Shows the sign-in with the reason why it failed. */
  private async refuse(error: unknown, request: Request, response: Response, to: string, name = ''): Promise<void> {
    if (!(error instanceof HttpError) || error.reason === 'not-found') throw error;
    const { retryAfterSeconds } = error.details;
    if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
    response.status(error.status);
    const isWrongAccount = error instanceof SignInRefusedError && error.refusal.isWrongAccount;
    await this.page(request, response, to, { error: error.message, name, isWrongAccount });
  }

  private async page(
    request: Request,
    response: Response,
    to: string,
    { name = '', error = '', notice = '', isWrongAccount = false },
  ): Promise<void> {
    const { COMPANY_NAME: company, INBOX_USERS: users = [] } = this.settings;
    const provider = providerName(this.settings);
    const isAvailable = provider !== undefined && this.openId.isAvailable();
    const hasPasswords = users.some(({ hash }) => hash !== OIDC);
    const page = fillSignIn(
      { company, user: undefined },
      {
        title: error ? words.error : words.title,
        name,
        error,
        notice: (await this.drafts.isKept(request)) ? words.noteKept : notice,
        to,
        single: isAvailable && (isWrongAccount ? words.chooseAccount : words.with({ provider })),
        unavailable: provider && !isAvailable && words.unavailable({ provider }),
        hasPasswords,
        hasBoth: isAvailable && hasPasswords,
      },
    );
    response.type('html').send(page);
  }
}

const networkOf = ({ ip }: Request) => clientKey(ip);
