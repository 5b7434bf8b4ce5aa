import { describe, expect, it } from '@jest/globals';
import { isSubmissionId, keyedSubmissionId, randomSubmissionId } from './submission-id.ts';

describe('submission ids', () => {
  it('are 80 bits in groups that can be read out', () => {
    for (let count = 0; count < 200; count++) expect(randomSubmissionId()).toMatch(/^KW(-[0-9A-HJKMNP-TV-Z]{4}){4}$/);
  });

  it('of a key are always the same, and differ by form and key', () => {
    const id = keyedSubmissionId('contact', 'key-one-1');
    expect(keyedSubmissionId('contact', 'key-one-1')).toBe(id);
    expect(
      new Set([id, keyedSubmissionId('contact', 'key-two-2'), keyedSubmissionId('application', 'key-one-1')]).size,
    ).toBe(3);
    expect(isSubmissionId(id)).toBe(true);
  });

  it.each([
    '',
    'KW-1',
    '../KW-0000-0000-0000-0000',
    'KW-0000-0000-0000-000I',
    'KW-0000-0000-0000-0000\n',
    'kw-0000-0000-0000-0000',
  ])('%j is none', (text) => {
    expect(isSubmissionId(text)).toBe(false);
  });
});
