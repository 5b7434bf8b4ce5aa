import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { SETTINGS, type Settings } from '../config/settings.ts';
import type { ErrorAnswer } from '../contract/protocol.ts';
import { ErrorRenderer } from '../http/exception.filter.ts';
import type { HttpError } from '../http/http-error.ts';
import { formAt } from '../http/request-context.middleware.ts';
import type { Renderers } from '../http/respond.ts';
import { errorPage, formPage } from './pages/pages.ts';

/** Renders the errors of the api. If fields are invalid, the HTML page is the form with the messages. */
@Injectable()
export class SubmissionErrorRenderer extends ErrorRenderer {
  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'COMPANY_NAME'>) {
    super();
  }

  of(error: HttpError, request: Request): Renderers {
    const { COMPANY_NAME: company } = this.settings;
    const form = formAt(request.originalUrl);
    return {
      json: () => jsonOf(error),
      text: () => sentenceOf(error),
      html: () =>
        form && error.details.errors ? formPage(company, form, error, request.body) : errorPage(company, form, error),
    };
  }
}

function jsonOf({ message, details: { errors } }: HttpError): string {
  const body: ErrorAnswer = { success: false, message, ...(errors && { errors }) };
  return JSON.stringify(body);
}

/** Returns the message and the first error of each field as sentences. */
function sentenceOf({ message, details }: HttpError): string {
  const wrong = Object.values(details.errors ?? {}).flatMap((ofField) => ofField.slice(0, 1));
  return [message, ...wrong.filter((one) => one !== message).map((one) => `${one}.`)].join(' ');
}
