import { BadRequestException, Logger, NotFoundException } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { StorageUnavailableError } from '../storage/submission-store.ts';
import { AnswerWriter } from './answers/answer-writer.ts';
import { ErrorFilter } from './error.filter.ts';
import type { Refusal } from './refusal.ts';

describe('ErrorFilter', () => {
  let refused: Refusal | undefined;
  let logged: string;
  const answers = new AnswerWriter();
  beforeEach(() => {
    logged = '';
    jest.spyOn(Logger.prototype, 'error').mockImplementation((line: unknown) => void (logged += JSON.stringify(line)));
    jest.spyOn(answers, 'refused').mockImplementation((_request, _response, refusal) => void (refused = refusal));
  });
  afterEach(() => {
    refused = undefined;
  });

  const answerTo = (thrown: unknown) => {
    const response = { locals: { trace: { requestId: 'request-1' } }, headersSent: false };
    new ErrorFilter(answers).catch(thrown, new ExecutionContextHost([{}, response]));
    return refused;
  };

  it('answers what nobody foresaw with a sentence of its own, and logs where but not what', () => {
    expect(answerTo(new TypeError('cannot read ada@visitor.example'))).toMatchObject({ status: 500, message: 'Something went wrong on our side. Please try again later.' });
    expect(logged).toContain('TypeError');
    expect(logged).toContain('request-1');
    expect(logged).toContain('error.filter.test');
    expect(logged).not.toContain('visitor');
  });

  it('answers a thrown value that is no error', () => {
    expect(answerTo('ada@visitor.example')).toMatchObject({ status: 500 });
    expect(logged).not.toContain('visitor');
  });

  it('answers a store that is away with 503 and a time to come back', () => {
    expect(answerTo(new StorageUnavailableError('storage: ENOSPC'))).toMatchObject({ status: 503, retryAfterSeconds: 30 });
    expect(logged).toContain('ENOSPC');
  });

  it("replaces the framework's own words", () => {
    expect(answerTo(new NotFoundException('Cannot POST /api/<script>'))).toMatchObject({ status: 404, message: 'There is nothing at this address.' });
    expect(answerTo(new BadRequestException('Unexpected token a, "ada@" is not JSON'))).toMatchObject({ status: 400, message: 'We could not read this request.' });
  });
});
