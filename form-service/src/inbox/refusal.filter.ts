import { Catch, Inject, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import type { InboxUser } from '../config/inbox-users.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
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

const storageAway = () =>
  new Refusal(
    503,
    'It cannot be read or changed right now. Please try again in a minute, and tell whoever runs the website if it stays so.',
    { 'Retry-After': '30' },
  );

/** Answers a {@link Refusal} as a page, and a storage that is away. */
@Catch(Refusal, StorageUnavailableError)
export class RefusalFilter implements ExceptionFilter<Refusal | StorageUnavailableError> {
  private readonly log = new Logger('Inbox');

  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'COMPANY_NAME'>) {}

  catch(error: Refusal | StorageUnavailableError, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response<unknown, { user?: InboxUser }>>();
    if (error instanceof StorageUnavailableError) this.log.error({ event: 'storage away', cause: error.message });
    // What has been sent in part must not look whole.
    if (response.headersSent || response.destroyed) return void response.destroy();
    const { status, message, headers } = error instanceof Refusal ? error : storageAway();
    const frame = { company: this.settings.COMPANY_NAME, user: response.locals.user };
    response.removeHeader('Content-Disposition');
    response.status(status).set(headers).type('html').send(messagePage(frame, message));
  }
}
