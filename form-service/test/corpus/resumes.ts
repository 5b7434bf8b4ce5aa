import { pdf } from './pdf.ts';
import { MACRO_MAIN, SHEET_MAIN, wordOpenXml, wordParts, zip } from './zip.ts';

/** A file as a client sends it, and the expected status. */
export interface CorpusFile {
  readonly what: string;
  readonly name: string;
  readonly bytes: () => Buffer;
  readonly status: 202 | 415 | 422;
  /** Resulting extension, if it differs from the name. */
  readonly becomes?: '.pdf' | '.doc' | '.docx';
}

const text = (content: string) => () => Buffer.from(content, 'latin1');
const joined = (...parts: readonly (Buffer | string)[]) => Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
const cut = (bytes: Buffer, share: number) => bytes.subarray(0, Math.floor(bytes.length * share));
const executable = () => joined('MZ\x90\0', Buffer.alloc(400), 'This program cannot be run in DOS mode.');

/** Builds a file with the signature of a Compound File ([MS-CFB]), in which the name of a stream is at an offset. */
const compoundFile = (stream: string, at = 512) => joined('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', Buffer.alloc(at - 8), Buffer.from(stream, 'utf16le'), Buffer.alloc(1_000));

/** Good and bad résumés, all generated here, with the expected result. What real programs write is in `files.tar.gz`. */
export const resumeCorpus: readonly CorpusFile[] = [
  { what: 'a PDF', name: 'cv.pdf', bytes: () => pdf(), status: 202 },
  { what: 'a PDF with the extension in capitals', name: 'CV.PDF', bytes: () => pdf(), status: 202 },
  { what: 'a PDF with a byte order mark', name: 'cv.pdf', bytes: () => joined('\u00ef\u00bb\u00bf', pdf()), status: 202 },
  { what: 'a PDF with the word obj and no object', name: 'cv.pdf', bytes: text('%PDF-1.7\nno obj here\n%%EOF'), status: 422 },
  { what: 'a PDF named .docx', name: 'cv.docx', bytes: () => pdf(), status: 202, becomes: '.pdf' },
  { what: 'a PDF without extension', name: 'cv', bytes: () => pdf(), status: 202, becomes: '.pdf' },
  { what: 'a PDF cut short', name: 'cv.pdf', bytes: () => cut(pdf(100_000), 0.5), status: 202 },
  { what: 'a PDF with an archive behind it', name: 'cv.pdf', bytes: () => joined(pdf(), zip([{ name: 'x', bytes: randomText(4000) }])), status: 202 },
  { what: 'an empty .pdf', name: 'cv.pdf', bytes: text(''), status: 422 },
  { what: 'a program named .pdf', name: 'cv.pdf', bytes: executable, status: 415 },
  { what: 'a program with a PDF behind it', name: 'cv.pdf', bytes: () => joined(executable(), pdf()), status: 415 },
  { what: 'a shell script named .pdf', name: 'cv.pdf', bytes: text('#!/bin/sh\necho %PDF-1.4 %%EOF\n'), status: 415 },
  { what: 'a .docx named .pdf', name: 'cv.pdf', bytes: () => wordOpenXml(), status: 202, becomes: '.docx' },

  { what: 'a .doc', name: 'cv.doc', bytes: () => compoundFile('WordDocument'), status: 202 },
  { what: 'a .doc whose directory lies across two chunks', name: 'cv.doc', bytes: () => compoundFile('WordDocument', 64 * 1024 - 9), status: 202 },
  { what: 'a .doc with names in capitals', name: 'cv.doc', bytes: () => compoundFile('WORDDOCUMENT'), status: 202 },
  { what: 'a workbook named .doc', name: 'cv.doc', bytes: () => compoundFile('Workbook'), status: 415 },
  { what: 'a text with rich formatting named .doc', name: 'cv.doc', bytes: text('{\\rtf1 hello}'), status: 202 },
  { what: 'a .doc named .docx', name: 'cv.docx', bytes: () => compoundFile('WordDocument'), status: 202, becomes: '.doc' },

  { what: 'a .docx', name: 'cv.docx', bytes: () => wordOpenXml(), status: 202 },
  { what: 'a .docx of the macro type', name: 'cv.docx', bytes: () => zip(wordParts(MACRO_MAIN)), status: 202 },
  { what: 'a .docx with a password', name: 'cv.docx', bytes: () => compoundFile('EncryptedPackage'), status: 422 },
  { what: 'a .docx with encrypted entries', name: 'cv.docx', bytes: () => zip(wordParts().map((part) => ({ ...part, flags: 1 }))), status: 422 },
  { what: 'a .docx cut short', name: 'cv.docx', bytes: () => cut(wordOpenXml([{ name: 'word/media/a', bytes: randomText(5000) }]), 0.7), status: 422 },
  { what: 'a .docx with something behind it', name: 'cv.docx', bytes: () => joined(wordOpenXml(), executable()), status: 202 },
  { what: 'a program with a .docx behind it', name: 'cv.docx', bytes: () => joined(executable(), wordOpenXml()), status: 415 },
  { what: 'a workbook named .docx', name: 'cv.docx', bytes: () => zip(wordParts(SHEET_MAIN)), status: 415 },
  { what: 'an archive named .docx', name: 'cv.docx', bytes: () => zip([{ name: 'hello.txt', bytes: Buffer.from('hello') }]), status: 415 },
  { what: 'a .docx named .doc', name: 'cv.doc', bytes: () => wordOpenXml(), status: 202, becomes: '.docx' },
  { what: 'a .docx that unpacks to 30 MB of nothing', name: 'cv.docx', bytes: () => wordOpenXml([{ name: 'word/media/a', bytes: Buffer.alloc(30_000_000) }]), status: 422 },
  { what: 'a .docx that lies about a size', name: 'cv.docx', bytes: () => zip(wordParts().map((part) => ({ ...part, statedBytes: 10 }))), status: 422 },
  { what: 'a .docx of 3,000 entries', name: 'cv.docx', bytes: () => wordOpenXml(Array.from({ length: 3000 }, (_, index) => ({ name: `word/${index}`, bytes: Buffer.alloc(0) }))), status: 422 },
  { what: 'a .docx with a path that leads out', name: 'cv.docx', bytes: () => wordOpenXml([{ name: '../../etc/cron.d/x', bytes: Buffer.from('x') }]), status: 422 },
  { what: 'a .docx with two documents', name: 'cv.docx', bytes: () => wordOpenXml(wordParts()), status: 422 },
  { what: 'a .docx whose list of contents has 2 MB', name: 'cv.docx', bytes: () => zip(wordParts().map((part, at) => (at === 0 ? { ...part, bytes: joined(part.bytes, randomText(2_000_000)) } : part))), status: 422 },
];

/** Returns text that compresses poorly, the same in every run. */
function randomText(length: number): Buffer {
  let seed = 1;
  return Buffer.from(Array.from({ length }, () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) >> 16));
}
