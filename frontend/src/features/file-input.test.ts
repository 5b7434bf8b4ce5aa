import { describe, expect, test } from '@jest/globals';
import { messages } from 'form-service/contract/messages';
import { NAMES_WITHOUT_EXTENSION } from '../../../form-service/test/corpus/names.ts';
import { resumeProblem } from './file-input.tsx';

const TEN_MIB = 10 * 1024 * 1024;
const { resumeTooLarge: TOO_LARGE, resumeWrongType: WRONG_TYPE } = messages;

/** Returns a readable file, which jsdom lacks. */
const fileOf = (name: string, content: string, { type = '', size = content.length } = {}) =>
  ({
    name,
    type,
    size,
    slice: (start: number, end: number) => new Blob([content.slice(start, end)]),
  }) as unknown as File;

describe('résumé', () => {
  test.each([
    ['cv.pdf', 'application/pdf'],
    ['CV.PDF', 'application/wps-office.pdf'],
    ['my résumé (v1.2).final.Pdf', 'application/x-pdf'],
    ['cv.pdf', 'text/html'],
    ['cv.pdf', ''],
  ])('accepts %s with the declared type "%s"', async (name, type) => {
    expect(await resumeProblem(fileOf(name, '%PDF-1.7 1 0 obj', { type }))).toBeUndefined();
  });

  test.each(NAMES_WITHOUT_EXTENSION)('accepts a PDF > its name %j has no known extension', async (name) => {
    expect(await resumeProblem(fileOf(name, '%PDF-1.7'))).toBeUndefined();
  });

  test.each(['cv.txt', 'cv.ODT', 'cv.pages', 'photo.jpg', 'IMG_1.HEIC ', 'cv.pdf.exe', 'cv.html', 'cv.zip'])(
    'rejects %s by its extension',
    async (name) => {
      expect(await resumeProblem(fileOf(name, '%PDF-1.7'))).toBe(WRONG_TYPE);
    },
  );

  test.each(['MZ program', '\x89PNG\r\n', '<!doctype html>', 'Dear Sir'])(
    'rejects a file by its first bytes %j > any name',
    async (content) => {
      for (const name of ['cv.pdf', ...NAMES_WITHOUT_EXTENSION])
        expect(await resumeProblem(fileOf(name, content))).toBe(WRONG_TYPE);
    },
  );

  test('judges an unreadable file by its name', async () => {
    const file = fileOf('cv.pdf', '');
    const slice = () => ({ arrayBuffer: () => Promise.reject(new DOMException('away', 'NotReadableError')) });
    expect(await resumeProblem({ ...file, size: 5, slice } as unknown as File)).toBeUndefined();
  });

  test('accepts 10 MiB, and rejects one byte more', async () => {
    expect(await resumeProblem(fileOf('cv.pdf', '%PDF-1.7', { size: TEN_MIB }))).toBeUndefined();
    expect(await resumeProblem(fileOf('cv.pdf', '%PDF-1.7', { size: TEN_MIB + 1 }))).toBe(TOO_LARGE);
  });

  test('checks the size before the type', async () => {
    expect(await resumeProblem(fileOf('film.mp4', 'ftyp', { size: TEN_MIB * 10 }))).toBe(TOO_LARGE);
  });
});
