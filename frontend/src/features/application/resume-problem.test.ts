import { describe, expect, test } from '@jest/globals';
import { resumeProblem } from './resume-problem.ts';

const TEN_MIB = 10 * 1024 * 1024;
const TOO_LARGE = 'File size must be less than 10MB';
const WRONG_TYPE = 'Please upload a PDF or Word document';

const PDF = 'application/pdf';
const DOC = 'application/msword';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

describe('a résumé', () => {
  test.each([
    ['cv.pdf', PDF],
    ['cv.doc', DOC],
    ['cv.docx', DOCX],
    ['CV.PDF', PDF],
    ['my résumé (v1.2).final.Docx', DOCX],
    ['cv.doc', ''],
    ['cv.docx', ''],
  ])('named %s of type "%s" is fine', (name, type) => {
    expect(resumeProblem({ name, type, size: 1000 })).toBeUndefined();
  });

  test.each([
    ['cv.txt', 'text/plain'],
    ['cv.odt', 'application/vnd.oasis.opendocument.text'],
    ['photo.jpg', 'image/jpeg'],
    ['cv.pdf.exe', 'application/x-msdownload'],
    ['cv.exe', PDF],
    ['cv.pdf', 'text/html'],
    ['cv', ''],
    ['pdf', ''],
    ['cv.pdf ', ''],
  ])('named %s of type "%s" is of a wrong type', (name, type) => {
    expect(resumeProblem({ name, type, size: 1000 })).toBe(WRONG_TYPE);
  });

  test('of exactly 10 MiB is accepted', () => {
    expect(resumeProblem({ name: 'cv.pdf', type: PDF, size: TEN_MIB })).toBeUndefined();
  });

  test('of one byte more is too large', () => {
    expect(resumeProblem({ name: 'cv.pdf', type: PDF, size: TEN_MIB + 1 })).toBe(TOO_LARGE);
  });

  test('with both faults is too large: the size is checked first', () => {
    expect(resumeProblem({ name: 'film.mp4', type: 'video/mp4', size: TEN_MIB * 10 })).toBe(TOO_LARGE);
  });
});
