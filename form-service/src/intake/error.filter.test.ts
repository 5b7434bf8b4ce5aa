import { BadRequestException, Logger, NotFoundException } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { AnswerService } from './answer.service.ts';
import { ErrorFilter } from './error.filter.ts';
import type { HttpError } from './http-error.ts';

describe('The error filter', () => {
  let failed: HttpError | undefined;
  let logged: string;
  const answers = new AnswerService({ COMPANY_NAME: 'Firm' });
  beforeEach(() => {
    logged = '';
    jest.spyOn(Logger.prototype, 'error').mockImplementation((line: unknown) => void (logged += JSON.stringify(line)));
    jest.spyOn(answers, 'failed').mockImplementation((_request, _response, error) => void (failed = error));
  });
  afterEach(() => {
    failed = undefined;
  });

  const answerTo = (thrown: unknown) => {
    const response = { locals: { context: { requestId: 'request-1' } }, headersSent: false };
    new ErrorFilter(answers).catch(thrown, new ExecutionContextHost([{}, response]));
    return failed;
  };

  it('An unexpected error gets a generic answer, and its place is logged without its message', () => {
    expect(answerTo(new TypeError('cannot read ada@visitor.example'))).toMatchObject({
      status: 500,
      message: 'Something went wrong on our side. Please try again later.',
    });
    expect(logged).toContain('TypeError');
    expect(logged).toContain('request-1');
    expect(logged).toContain('error.filter.test');
    expect(logged).not.toContain('visitor');
  });

  it('A thrown value that is not an error gets a generic answer', () => {
    expect(answerTo('ada@visitor.example')).toMatchObject({ status: 500 });
    expect(logged).not.toContain('visitor');
  });

  it('A storage that is away gives a 503 with Retry-After', () => {
    expect(answerTo(new StorageUnavailableError('DATABASE_URL: SQLITE_FULL'))).toMatchObject({
      status: 503,
      retryAfterSeconds: 30,
    });
    expect(logged).toContain('SQLITE_FULL');
  });

  it("The framework's own messages are replaced", () => {
    expect(answerTo(new NotFoundException('Cannot POST /api/<script>'))).toMatchObject({
      status: 404,
      message: 'There is nothing at this address.',
    });
    expect(answerTo(new BadRequestException('Unexpected token a, "ada@" is not JSON'))).toMatchObject({
      status: 400,
      message: 'We could not read this request.',
    });
  });
});
