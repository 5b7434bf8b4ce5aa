import { describe, expect, it } from '@jest/globals';
import { isSubmissionId, keyedSubmissionId } from './submission.ts';

describe('Submission id', () => {
  it('keyedSubmissionId > returns the same id for the same form and key only', () => {
    const id = keyedSubmissionId('contact', 'key-one-1');
    expect(keyedSubmissionId('contact', 'key-one-1')).toBe(id);
    expect(
      new Set([id, keyedSubmissionId('contact', 'key-two-2'), keyedSubmissionId('application', 'key-one-1')]).size,
    ).toBe(3);
    for (let count = 0; count < 200; count++) {
      const other = keyedSubmissionId('contact', `key-${count}`);
      expect(other).toMatch(/^KW(-[0-9A-HJKMNP-TV-Z]{4}){4}$/);
      expect(isSubmissionId(other)).toBe(true);
    }
  });

  it.each([
    '',
    'KW-1',
    '../KW-0000-0000-0000-0000',
    'KW-0000-0000-0000-000I',
    'KW-0000-0000-0000-0000\n',
    'kw-0000-0000-0000-0000',
  ])('isSubmissionId > rejects %j', (text) => {
    expect(isSubmissionId(text)).toBe(false);
  });
});
