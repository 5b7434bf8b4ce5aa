import { describe, expect, test } from '@jest/globals';
import { resumeProblem } from './resume-input.tsx';

const TEN_MIB = 10 * 1024 * 1024;
const TOO_LARGE = 'File size must be less than 10MB';
const WRONG_TYPE = 'Please upload a PDF or Word document';

/** jsdom's files cannot be read; a browser's can. */
const fileOf = (name: string, content: string, { type = '', size = content.length } = {}) =>
  ({
    name,
    type,
    size,
    slice: (start: number, end: number) => new Blob([content.slice(start, end)]),
  }) as unknown as File;

describe('a résumé', () => {
  test.each([
    ['cv.pdf', 'application/pdf'],
    ['CV.PDF', 'application/wps-office.pdf'],
    ['my résumé (v1.2).final.Pdf', 'application/x-pdf'],
    ['cv.pdf', 'text/html'],
    ['cv.pdf', ''],
  ])('named %s is fine, whatever the system declares: "%s"', async (name, type) => {
    expect(await resumeProblem(fileOf(name, '%PDF-1.7 1 0 obj', { type }))).toBeUndefined();
  });

  test.each(['cv.txt', 'cv.odt', 'photo.jpg', 'cv.pdf.exe', 'cv', 'pdf'])(
    'named %s is of a wrong type',
    async (name) => {
      expect(await resumeProblem(fileOf(name, '%PDF-1.7'))).toBe(WRONG_TYPE);
    },
  );

  test('that is none by its first bytes is of a wrong type', async () => {
    expect(await resumeProblem(fileOf('cv.pdf', 'MZ program'))).toBe(WRONG_TYPE);
  });

  test('that cannot be read now is judged by its name', async () => {
    const file = fileOf('cv.pdf', '');
    const slice = () => ({ arrayBuffer: () => Promise.reject(new DOMException('away', 'NotReadableError')) });
    expect(await resumeProblem({ ...file, size: 5, slice } as unknown as File)).toBeUndefined();
  });

  test('of exactly 10 MiB is accepted, and of one byte more too large', async () => {
    expect(await resumeProblem(fileOf('cv.pdf', '%PDF-1.7', { size: TEN_MIB }))).toBeUndefined();
    expect(await resumeProblem(fileOf('cv.pdf', '%PDF-1.7', { size: TEN_MIB + 1 }))).toBe(TOO_LARGE);
  });

  test('with both faults is too large: the size is checked first', async () => {
    expect(await resumeProblem(fileOf('film.mp4', 'ftyp', { size: TEN_MIB * 10 }))).toBe(TOO_LARGE);
  });
});
