import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { InboxUser } from '../config/inbox-users.ts';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { ErrorRenderer } from '../http/exception.filter.ts';
import type { HttpError } from '../http/http-error.ts';
import type { Renderers } from '../http/respond.ts';
import { messagePage } from './page.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('inbox').errors;

/** Renders every error as a page of the inbox, since people in browsers are its only clients. */
@Injectable()
export class InboxErrorRenderer extends ErrorRenderer {
  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'COMPANY_NAME'>) {
    super();
  }

  of({ message, cause }: HttpError, _request: Request, response: Response): Renderers {
    const { user } = response.locals as { user?: InboxUser };
    const sentence = cause instanceof StorageUnavailableError ? words.unavailable : message;
    return { html: () => messagePage({ company: this.settings.COMPANY_NAME, user }, sentence) };
  }
}
