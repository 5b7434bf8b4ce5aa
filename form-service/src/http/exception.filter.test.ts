import { BadRequestException, Logger, NotFoundException } from '@nestjs/common';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { submissionErrors } from '../intake/pages/pages.ts';
import { HttpExceptionFilter } from './exception.filter.ts';
import { words } from '../../test/words.ts';

describe('HttpExceptionFilter', () => {
  let logged: string;
  const filter = new HttpExceptionFilter(submissionErrors({ COMPANY_NAME: 'Firm' }));
  beforeEach(() => {
    logged = '';
    jest.spyOn(Logger.prototype, 'error').mockImplementation((line: unknown) => void (logged += JSON.stringify(line)));
  });

  const answerTo = (thrown: unknown) => {
    const answer: Record<string, unknown> = {};
    const response = {
      locals: { context: { requestId: 'request-1' } },
      writeHead: (status: number, headers: Record<string, unknown>) =>
        Object.assign(answer, { status, retryAfter: headers['Retry-After'] }),
      removeHeader: () => undefined,
      end: (body: string) => Object.assign(answer, JSON.parse(body)),
    };
    const request = { headers: {}, originalUrl: '/api/contact' };
    filter.catch(thrown, new ExecutionContextHost([request, response]));
    return answer;
  };

  it('answers an unexpected error with a generic sentence and logs no message', () => {
    expect(answerTo(new TypeError('cannot read ada@visitor.example'))).toMatchObject({
      status: 500,
      message: words.errors.internal,
    });
    expect(logged).toContain('TypeError');
    expect(logged).toContain('request-1');
    expect(logged).toContain('exception.filter.test');
    expect(logged).not.toContain('visitor');
  });

  it('answers 503 with Retry-After > the storage is unavailable', () => {
    expect(answerTo(new StorageUnavailableError('DATABASE_URL: SQLITE_FULL'))).toMatchObject({
      status: 503,
      retryAfter: '30',
    });
    expect(logged).toContain('SQLITE_FULL');
  });

  it("replaces the framework's own messages", () => {
    expect(answerTo(new NotFoundException('Cannot POST /api/<script>'))).toMatchObject({
      status: 404,
      message: words.errors.notFound,
    });
    expect(answerTo(new BadRequestException('Unexpected token a, "ada@" is not JSON'))).toMatchObject({
      status: 400,
      message: words.errors.unreadable,
    });
  });
});
