import { Controller, Get, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { findUser, OIDC, type InboxUser } from '../config/inbox-users.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { HttpError } from '../http/http-error.ts';
import { readForm } from './form-body.ts';
import { OpenIdConnect, providerName, unavailableText } from './open-id-connect.service.ts';
import { readPage } from './page.ts';
import { returnPath } from './same-origin.ts';
import { Sessions } from './sessions.service.ts';
import { countSignIn, SignInAttempts } from './sign-in-attempts.service.ts';

const fillSignIn = readPage('sign-in');

const NOT_FOUND = 'There is no user with this name and password. Check both: capital letters matter.';
const ENDED = 'Your session has ended, so nothing was done. Sign in and try again.';

/** Signs users of the inbox in and out. */
@Controller('inbox')
export class SignInController {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly attempts: SignInAttempts,
    private readonly openId: OpenIdConnect,
    private readonly sessions: Sessions,
  ) {}

  @Get('sign-in')
  async show(@Query('to') to: unknown, @Query('ended') ended: unknown, @Res() response: Response): Promise<void> {
    if (response.locals['user']) return response.redirect(303, returnPath(to));
    await this.page(response, returnPath(to), { notice: ended === undefined ? '' : ENDED });
  }

  @Post('sign-in')
  @HttpCode(200)
  async signIn(@Req() request: Request, @Res() response: Response): Promise<void> {
    const form = await readForm(request);
    const [name, to] = [(form.get('name') ?? '').trim(), returnPath(form.get('to'))];
    // nginx names the client alone; without nginx the peer is the client.
    const address = request.get('x-forwarded-for') ?? request.socket.remoteAddress ?? '';
    try {
      const verify = () => findUser(this.settings.INBOX_USERS ?? [], name, form.get('password') ?? '');
      const user = await this.attempts.attempt(address, name, verify);
      if (!user) throw new HttpError('forbidden', NOT_FOUND);
      await this.sessions.start(user, request, response);
      response.redirect(303, to);
    } catch (error) {
      await this.refuse(error, response, to, name);
    }
  }

  /** Sends the browser to the OpenID Connect provider. */
  @Get('sign-in/oidc')
  async begin(@Query('to') to: unknown, @Req() request: Request, @Res() response: Response): Promise<void> {
    try {
      const url = await this.openId.begin(returnPath(to), request, response);
      response.redirect(303, url.href);
    } catch (error) {
      await this.refuse(error, response, returnPath(to));
    }
  }

  /** The provider sends the browser back to here. */
  @Get('sign-in/callback')
  async finish(@Req() request: Request, @Res() response: Response): Promise<void> {
    try {
      const { user, to } = await this.openId.finish(request, response);
      await this.sessions.start(user, request, response);
      countSignIn('ok');
      response.redirect(303, to);
    } catch (error) {
      countSignIn('wrong');
      await this.refuse(error, response, '/inbox');
    }
  }

  @Post('sign-out')
  async signOut(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.sessions.end((response.locals as { user: InboxUser }).user, request, response);
    // Pages that the browser keeps for its Back button show what the user saw.
    response.set('Clear-Site-Data', '"cache"').redirect(303, '/inbox/sign-in');
  }

  /** Shows the sign-in with the reason why it failed. */
  private async refuse(error: unknown, response: Response, to: string, name = ''): Promise<void> {
    if (!(error instanceof HttpError) || error.reason === 'not-found') throw error;
    const { retryAfterSeconds } = error.details;
    if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
    response.status(error.status);
    await this.page(response, to, { error: error.message, name });
  }

  private async page(response: Response, to: string, { name = '', error = '', notice = '' }): Promise<void> {
    const { COMPANY_NAME: company, INBOX_USERS: users = [] } = this.settings;
    const provider = providerName(this.settings);
    const isAvailable = provider !== undefined && (await this.openId.isAvailable());
    const hasPasswords = users.some(({ hash }) => hash !== OIDC);
    const page = fillSignIn(
      { company, user: undefined },
      {
        title: error ? 'Error: Sign in' : 'Sign in',
        name,
        error,
        notice,
        to,
        provider: isAvailable && provider,
        unavailable: provider && !isAvailable && unavailableText(provider),
        hasPasswords,
        hasBoth: isAvailable && hasPasswords,
      },
    );
    response.type('html').send(page);
  }
}
