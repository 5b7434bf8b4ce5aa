import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { HttpError } from './http-error.ts';

/** Matches every character set but UTF-8. The parser would decode any that begins with `utf-`, UTF-7 among them. */
const OTHER_CHARSET = /;\s*charset\s*=\s*(?!"?utf-8"?\s*(?:;|$))/i;

/** Refuses a body of a media type that no enquiry has, before it is read. */
@Injectable()
export class MediaTypeMiddleware implements NestMiddleware {
  use(request: Request, _response: Response, next: NextFunction): void {
    if (OTHER_CHARSET.test(request.get('content-type') ?? ''))
      throw HttpError.unsupported('The body must be UTF-8 text and not compressed.');
    if (request.get('content-length') === '0' || request.is('*/*') === null)
      throw HttpError.malformed('The request has no body.');
    if (!request.is(['application/json', 'application/x-www-form-urlencoded'])) {
      throw HttpError.unsupported('Please send the form as JSON or as application/x-www-form-urlencoded.');
    }
    next();
  }
}
