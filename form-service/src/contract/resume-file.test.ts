import { describe, expect, it } from '@jest/globals';
import { resumeFormat, resumeProblem } from './resume-file.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe('resumeFormat', () => {
  it.each([
    ['%PDF-1.7', 'pdf'],
    ['\x1b%-12345X@PJL ENTER LANGUAGE=PDF\r\n%PDF-1.4', 'pdf'],
    [`${'GPL Ghostscript\n'.repeat(60)}%PDF-1.4`, 'pdf'],
    ['1 0 obj<</Type/Catalog>>', 'pdf'],
    ['PK\x03\x04', 'zip'],
    ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'compound'],
    ['{\\rtf1\\ansi', 'rtf'],
    ['<?xml version="1.0"?><?mso-application progid="Word.Document"?>', 'word-xml'],
    ['MZ %PDF-1.7', undefined],
    ['<!DOCTYPE HTML><!-- %PDF-1.7', undefined],
    ['<html><p>1 0 obj', undefined],
    ['<svg>%PDF-1.7', undefined],
    [`${' '.repeat(1024)}%PDF-1.7`, undefined],
    ['hello', undefined],
    ['', undefined],
  ])('A file that begins with %j has the format %s', (head, format) => {
    expect(resumeFormat(bytes(head))).toBe(format);
  });
});

describe('resumeProblem', () => {
  const problem = (name: string, head: string, size = 1_000) => resumeProblem({ name, size }, bytes(head));

  it.each([
    ['cv.pdf', '%PDF-1.7'],
    ['CV.DOC ', '{\\rtf1'],
    ['cv.docx', '%PDF-1.7'],
    ['cv', 'PK\x03\x04'],
    ['Lebenslauf Müller', '%PDF-1.7'],
    ['cv.final', '%PDF-1.7'],
    ['A. Lovelace, B.Sc.', '%PDF-1.7'],
  ])('%j that begins with %j is accepted', (name, head) => {
    expect(problem(name, head)).toBeUndefined();
  });

  it.each([
    ['cv.odt', 'PK\x03\x04', 'resumeWrongType'],
    ['cv.pdf.exe', '%PDF-1.7', 'resumeWrongType'],
    ['cv.pdf', '<html>', 'resumeWrongType'],
    ['cv.doc', '<html>', 'resumeSaveAsPdf'],
    ['cv.doc', 'MIME-Version: 1.0', 'resumeSaveAsPdf'],
    ['cv.doc', 'hello', 'resumeWrongType'],
  ])('%j that begins with %j is refused: %s', (name, head, why) => {
    expect(problem(name, head)).toBe(why);
  });

  it('accepts 10 MiB, not one byte more', () => {
    expect(problem('cv.pdf', '%PDF-1.7', 10 * 1024 * 1024)).toBeUndefined();
    expect(problem('cv.pdf', '%PDF-1.7', 10 * 1024 * 1024 + 1)).toBe('resumeTooLarge');
  });

  it('rejects a file that is empty or too large', () => {
    expect(problem('cv.pdf', '', 0)).toBe('resumeEmpty');
    expect(problem('film.mp4', 'ftyp', 10 * 1024 * 1024 + 1)).toBe('resumeTooLarge');
  });
});
