import type { Request } from 'express';

/** JSON for programs, a sentence for the site's own form, a page for a browser that posted a plain form. */
export type AnswerFormat = 'json' | 'text' | 'html';

/** What the client asks for in `Accept`; JSON when it does not care, or asks for something there is not. */
export function answerFormat(request: Request): AnswerFormat {
  const format = request.accepts(['json', 'text', 'html']);
  return format === 'text' || format === 'html' ? format : 'json';
}
