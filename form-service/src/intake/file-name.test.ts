import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { safeFileName } from './submission-request.ts';
import { anyCharacter } from '../../test/any-character.ts';

describe('safeFileName', () => {
  it.each([
    ['résumé.pdf', 'résumé.pdf'],
    ['履歴書 2026.pdf', '履歴書 2026.pdf'],
    ['سيرة ذاتية.pdf', 'سيرة ذاتية.pdf'],
    ['CV 👩‍💻.pdf', 'CV 👩‍💻.pdf'],
    ['e\u0301.pdf', 'é.pdf'],
    ['../../etc/passwd.pdf', 'passwd.pdf'],
    ['C:\\Users\\ada\\cv.pdf', 'cv.pdf'],
    ['.htaccess.pdf', 'htaccess.pdf'],
    ['cv\r\nBcc: x@y.pdf', 'cvBcc_ x@y.pdf'],
    ['invoice\u202Efdp.exe.pdf', 'invoicefdp.exe.pdf'],
    ['cv . . .pdf', 'cv.pdf'],
    ['CV.PDF', 'CV.pdf'],
    ['.pdf', 'file.pdf'],
    ['///', 'file.pdf'],
    ['cv.doc', 'cv.pdf'],
  ])('converts %j to %j', (original, safe) => {
    expect(safeFileName(original, '.pdf')).toBe(safe);
  });

  it('shortens a long name and keeps its extension', () => {
    const name = safeFileName(`${'👩‍💻'.repeat(100)}.pdf`, '.pdf');
    expect(name.length).toBeLessThanOrEqual(120);
    expect(name).toMatch(/^👩‍💻.*[^\p{Surrogate}]\.pdf$/u);
  });

  it('makes any name safe and is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (original) => {
        const name = safeFileName(original, '.docx');
        expect(name).toMatch(
          /^[^./\\\p{Cc}\p{Surrogate}\u202A-\u202E\u2066-\u2069][^/\\\p{Cc}\p{Surrogate}\u202A-\u202E\u2066-\u2069]*\.docx$/u,
        );
        expect(name.length).toBeLessThanOrEqual(120);
        expect(safeFileName(name, '.docx')).toBe(name);
      }),
    );
  });

  it('looks at the end only > a hostile client sends 16,000 characters', () => {
    const path = `${'.pdf '.repeat(3_000)}a/${'b'.repeat(999)}`;
    expect(safeFileName(path, '.pdf')).toBe(`${'b'.repeat(116)}.pdf`);
    // The folder is outside of the part that is looked at.
    expect(safeFileName(`a/${'.'.repeat(1_000)}`, '.pdf')).toBe('file.pdf');
  });
});
