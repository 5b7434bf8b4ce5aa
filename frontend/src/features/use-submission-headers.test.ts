/** @jest-environment jsdom */
import { describe, expect, test } from '@jest/globals';
import { renderHook } from '@testing-library/react';
import { IDEMPOTENCY_HEADER } from 'form-service/contract/protocol';
import { useSubmissionHeaders } from './use-submission-headers.ts';

const form = () =>
  renderHook(() => {
    const { headersFor, renew } = useSubmissionHeaders();
    return { keyFor: (values: object) => headersFor(values)[IDEMPOTENCY_HEADER], renew };
  });

describe('idempotency key', () => {
  test('is 128 random bits, different for each form', () => {
    const keys = Array.from({ length: 200 }, () => form().result.current.keyFor({ text: 'same' }));
    expect(new Set(keys).size).toBe(200);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  });

  test('stays the same for the same content, also after a new render', () => {
    const { result, rerender } = form();
    const first = result.current.keyFor({ text: 'content' });
    rerender();
    expect(result.current.keyFor({ text: 'content' })).toBe(first);
    expect(result.current.keyFor({ text: 'content' })).toBe(first);
  });

  test('changes with the content', () => {
    const { result } = form();
    const first = result.current.keyFor({ text: 'one' });
    const second = result.current.keyFor({ text: 'two' });
    expect(second).not.toBe(first);
    expect(result.current.keyFor({ text: 'two' })).toBe(second);
  });

  test('changes with a chosen file', () => {
    const { result } = form();
    const cv = (lastModified: number) => ({ resume: new File(['cv'], 'cv.pdf', { lastModified }) });
    const first = result.current.keyFor(cv(1));
    expect(result.current.keyFor(cv(1))).toBe(first);
    expect(result.current.keyFor(cv(2))).not.toBe(first);
  });

  test('changes after the content was accepted', () => {
    const { result } = form();
    const first = result.current.keyFor({ text: 'content' });
    result.current.renew();
    expect(result.current.keyFor({ text: 'content' })).not.toBe(first);
  });
});
