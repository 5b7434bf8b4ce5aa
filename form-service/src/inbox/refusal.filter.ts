import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import type { InboxUser } from '../config/inbox-users.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { readPage, type Frame } from './page.ts';

/** Why nothing is shown or done, in a sentence for the reader. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

const fillMessage = readPage('message');

/** A page that says one sentence. */
export const messagePage = (frame: Frame, sentence: string) => fillMessage(frame, { title: sentence });

/** Answers a {@link Refusal} as a page. */
@Catch(Refusal)
export class RefusalFilter implements ExceptionFilter<Refusal> {
  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'COMPANY_NAME'>) {}

  catch({ status, message, headers }: Refusal, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response<unknown, { user?: InboxUser }>>();
    const frame = { company: this.settings.COMPANY_NAME, user: response.locals.user };
    response.status(status).set(headers).type('html').send(messagePage(frame, message));
  }
}
