/** @jest-environment jsdom */
import { describe, expect, test } from '@jest/globals';
import { renderHook } from '@testing-library/react';
import { useIdempotencyKey } from './use-submission-headers.ts';

const form = () => renderHook(() => useIdempotencyKey());

describe('the idempotency key of a form', () => {
  test('is 128 random bits, so that no two forms share one', () => {
    const keys = Array.from({ length: 200 }, () => form().result.current.keyFor({ text: 'same' }));
    expect(new Set(keys).size).toBe(200);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  });

  test('stays while the same content is sent again, also after the form was drawn again', () => {
    const { result, rerender } = form();
    const first = result.current.keyFor({ text: 'content' });
    rerender();
    expect(result.current.keyFor({ text: 'content' })).toBe(first);
    expect(result.current.keyFor({ text: 'content' })).toBe(first);
  });

  test('changes with the content, and then stays with the new content', () => {
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

  test('is a new one after the content was accepted, also for the same content', () => {
    const { result } = form();
    const first = result.current.keyFor({ text: 'content' });
    result.current.renew();
    expect(result.current.keyFor({ text: 'content' })).not.toBe(first);
  });
});
