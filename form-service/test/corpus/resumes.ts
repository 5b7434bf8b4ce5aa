import { RESUME_MAX_BYTES } from '../../src/contract/protocol.ts';
import { compoundFile, wordBinary } from './compound-file.ts';
import { pdf, pdfWith } from './pdf.ts';
import { MACRO_MAIN, SHEET_MAIN, wordOpenXml, wordParts, zip } from './zip.ts';

/** A file as a client sends it, and the expected status. */
export interface CorpusFile {
  readonly what: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: () => Buffer;
  readonly status: 202 | 413 | 415 | 422;
  /** Resulting extension, if it differs from the name. */
  readonly becomes?: '.pdf' | '.doc' | '.docx';
}

const PDF = 'application/pdf';
const DOC = 'application/msword';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const UNKNOWN = 'application/octet-stream';

const text = (content: string) => () => Buffer.from(content, 'latin1');
const joined = (...parts: readonly (Buffer | string)[]) => Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
const cut = (bytes: Buffer, share: number) => bytes.subarray(0, Math.floor(bytes.length * share));
const workbook = () => compoundFile([{ name: 'Workbook', bytes: Buffer.alloc(4096) }]);
const executable = () => joined('MZ\x90\0', Buffer.alloc(400), 'This program cannot be run in DOS mode.');

/** Good and bad résumés, all generated here, with the expected result. */
export const resumeCorpus: readonly CorpusFile[] = [
  { what: 'a PDF', name: 'cv.pdf', type: PDF, bytes: () => pdf(), status: 202 },
  { what: 'a PDF of exactly 10 MiB', name: 'cv.pdf', type: PDF, bytes: () => pdf(RESUME_MAX_BYTES), status: 202 },
  { what: 'a PDF of one byte more', name: 'cv.pdf', type: PDF, bytes: () => pdf(RESUME_MAX_BYTES + 1), status: 413 },
  { what: 'a PDF of 10.5 MiB', name: 'cv.pdf', type: PDF, bytes: () => pdf(RESUME_MAX_BYTES + 512 * 1024), status: 413 },
  { what: 'a PDF with the extension in capitals', name: 'CV.PDF', type: PDF, bytes: () => pdf(), status: 202 },
  { what: 'a PDF whose type the browser does not know', name: 'cv.pdf', type: UNKNOWN, bytes: () => pdf(), status: 202 },
  { what: 'a PDF with a byte order mark', name: 'cv.pdf', type: PDF, bytes: () => joined('\u00ef\u00bb\u00bf', pdf()), status: 202 },
  { what: 'a PDF with line breaks after the trailer', name: 'cv.pdf', type: PDF, bytes: () => joined(pdf(), '\r\n'.repeat(50)), status: 202 },
  { what: 'a PDF with two dots in its name', name: 'ada.v2.pdf', type: PDF, bytes: () => pdf(), status: 202 },
  { what: 'a PDF declared as Word', name: 'cv.pdf', type: DOC, bytes: () => pdf(), status: 202 },
  { what: 'a PDF declared as a picture', name: 'cv.pdf', type: 'image/png', bytes: () => pdf(), status: 202 },
  { what: 'a PDF with the word obj and no object', name: 'cv.pdf', type: PDF, bytes: text('%PDF-1.7\nno obj here\n%%EOF'), status: 422 },
  { what: 'a PDF named .docx', name: 'cv.docx', type: DOCX, bytes: () => pdf(), status: 202, becomes: '.pdf' },
  { what: 'a PDF named .doc', name: 'cv.doc', type: DOC, bytes: () => pdf(), status: 202, becomes: '.pdf' },
  { what: 'a PDF named .exe', name: 'cv.pdf.exe', type: PDF, bytes: () => pdf(), status: 415 },
  { what: 'a PDF without extension', name: 'cv', type: PDF, bytes: () => pdf(), status: 202, becomes: '.pdf' },
  { what: 'a PDF cut short', name: 'cv.pdf', type: PDF, bytes: () => cut(pdf(100_000), 0.5), status: 202 },
  { what: 'a PDF header alone', name: 'cv.pdf', type: PDF, bytes: text('%PDF-1.7\n'), status: 422 },
  { what: 'an empty .pdf', name: 'cv.pdf', type: PDF, bytes: text(''), status: 422 },
  { what: 'a program named .pdf', name: 'cv.pdf', type: PDF, bytes: executable, status: 415 },
  { what: 'a program with a PDF behind it', name: 'cv.pdf', type: PDF, bytes: () => joined(executable(), pdf()), status: 415 },
  { what: 'an ELF program named .pdf', name: 'cv.pdf', type: PDF, bytes: () => joined('\x7fELF', Buffer.alloc(100)), status: 415 },
  { what: 'a web page named .pdf', name: 'cv.pdf', type: PDF, bytes: text('<!doctype html><script>alert(1)</script>'), status: 415 },
  { what: 'a web page with a PDF behind it', name: 'cv.pdf', type: PDF, bytes: () => joined('<html><!--', pdf(), '-->'), status: 415 },
  { what: 'an SVG named .pdf', name: 'cv.pdf', type: PDF, bytes: text('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), status: 415 },
  { what: 'a shell script named .pdf', name: 'cv.pdf', type: PDF, bytes: text('#!/bin/sh\necho %PDF-1.4 %%EOF\n'), status: 415 },
  { what: 'a picture named .pdf', name: 'cv.pdf', type: PDF, bytes: () => joined('\x89PNG\r\n\x1a\n', Buffer.alloc(100)), status: 415 },
  { what: 'a .docx named .pdf', name: 'cv.pdf', type: PDF, bytes: () => wordOpenXml(), status: 202, becomes: '.docx' },
  { what: 'a PDF with a script', name: 'cv.pdf', type: PDF, bytes: () => pdfWith('<</Type/Action/S/JavaScript/JS(app.alert\\(1\\))>>'), status: 202 },
  { what: 'a PDF with a script among packed objects', name: 'cv.pdf', type: PDF, bytes: () => pdfWith('<</S/JavaScript/JS 9 0 R>>', { isPacked: true }), status: 202 },
  { what: 'a PDF that starts a program', name: 'cv.pdf', type: PDF, bytes: () => pdfWith('<</Type/Action/S/Launch/F(cmd.exe)>>'), status: 202 },
  { what: 'a PDF with a file inside', name: 'cv.pdf', type: PDF, bytes: () => pdfWith('<</Type/EmbeddedFile/Length 0>>'), status: 202 },
  { what: 'a PDF of somebody who knows JavaScript', name: 'cv.pdf', type: PDF, bytes: () => pdfWith('<</Keywords(HTML/CSS/JavaScript)>>', { isPacked: true }), status: 202 },
  { what: 'a PDF with an archive behind it', name: 'cv.pdf', type: PDF, bytes: () => joined(pdf(), zip([{ name: 'x', bytes: randomText(4000) }])), status: 202 },

  { what: 'a .doc', name: 'cv.doc', type: DOC, bytes: () => wordBinary(), status: 202 },
  { what: 'a large .doc', name: 'cv.doc', type: DOC, bytes: () => wordBinary({ extraBytes: 2_000_000 }), status: 202 },
  { what: 'a .doc with macros', name: 'cv.doc', type: DOC, bytes: () => wordBinary({ storages: ['Macros'] }), status: 202 },
  { what: 'a .doc of Word 95', name: 'cv.doc', type: DOC, bytes: () => wordBinary({ mark: 0xa5dc }), status: 202 },
  { what: 'a .doc with a Word document inside', name: 'cv.doc', type: DOC, bytes: () => wordBinary({ storages: ['ObjectPool'], embedded: [embeddedMain] }), status: 202 },
  { what: 'a .doc with a program inside', name: 'cv.doc', type: DOC, bytes: () => wordBinary({ storages: ['ObjectPool'], embedded: [{ name: '\u0001Ole10Native', bytes: Buffer.alloc(4096) }] }), status: 202 },
  { what: 'a .doc with names in capitals', name: 'cv.doc', type: DOC, bytes: () => renamed(wordBinary(), 'WordDocument', 'WORDDOCUMENT'), status: 202 },
  { what: 'a workbook named .doc', name: 'cv.doc', type: DOC, bytes: workbook, status: 415 },
  { what: 'slides named .doc', name: 'cv.doc', type: DOC, bytes: () => compoundFile([{ name: 'PowerPoint Document', bytes: Buffer.alloc(4096) }]), status: 415 },
  { what: 'a text with rich formatting named .doc', name: 'cv.doc', type: DOC, bytes: text('{\\rtf1 hello}'), status: 202 },
  { what: 'a web page named .doc', name: 'cv.doc', type: DOC, bytes: text('<html>hello</html>'), status: 415 },
  { what: 'a .doc named .docx', name: 'cv.docx', type: DOCX, bytes: () => wordBinary(), status: 202, becomes: '.doc' },
  { what: 'an empty .doc', name: 'cv.doc', type: DOC, bytes: text(''), status: 422 },

  { what: 'a .docx', name: 'cv.docx', type: DOCX, bytes: () => wordOpenXml(), status: 202 },
  { what: 'a .docx whose type the browser does not know', name: 'cv.docx', type: UNKNOWN, bytes: () => wordOpenXml(), status: 202 },
  { what: 'a .docx with pictures', name: 'cv.docx', type: DOCX, bytes: () => wordOpenXml([{ name: 'word/media/image1.png', bytes: randomText(50_000) }]), status: 202 },
  { what: 'a .docx with a macro project', name: 'cv.docx', type: DOCX, bytes: () => wordOpenXml([{ name: 'word/vbaProject.bin', bytes: Buffer.alloc(100) }]), status: 202 },
  { what: 'a .docx of the macro type', name: 'cv.docx', type: DOCX, bytes: () => zip(wordParts(MACRO_MAIN)), status: 202 },
  { what: 'a .docx with a password', name: 'cv.docx', type: DOCX, bytes: () => compoundFile([{ name: 'EncryptedPackage', bytes: Buffer.alloc(4096) }]), status: 422 },
  { what: 'a .docx with encrypted entries', name: 'cv.docx', type: DOCX, bytes: () => zip(wordParts().map((part) => ({ ...part, flags: 1 }))), status: 422 },
  { what: 'a .docx cut short', name: 'cv.docx', type: DOCX, bytes: () => cut(wordOpenXml([{ name: 'word/media/a', bytes: randomText(5000) }]), 0.7), status: 422 },
  { what: 'a .docx with something behind it', name: 'cv.docx', type: DOCX, bytes: () => joined(wordOpenXml(), executable()), status: 202 },
  { what: 'a program with a .docx behind it', name: 'cv.docx', type: DOCX, bytes: () => joined(executable(), wordOpenXml()), status: 415 },
  { what: 'a workbook named .docx', name: 'cv.docx', type: DOCX, bytes: () => zip(wordParts(SHEET_MAIN)), status: 415 },
  { what: 'an archive named .docx', name: 'cv.docx', type: DOCX, bytes: () => zip([{ name: 'hello.txt', bytes: Buffer.from('hello') }]), status: 415 },
  { what: 'a .docx named .doc', name: 'cv.doc', type: DOC, bytes: () => wordOpenXml(), status: 202, becomes: '.docx' },
  { what: 'a .docx that unpacks to 30 MB of nothing', name: 'cv.docx', type: DOCX, bytes: () => wordOpenXml([{ name: 'word/media/a', bytes: Buffer.alloc(30_000_000) }]), status: 422 },
  { what: 'a .docx that lies about a size', name: 'cv.docx', type: DOCX, bytes: () => zip(wordParts().map((part) => ({ ...part, statedBytes: 10 }))), status: 422 },
  { what: 'a .docx of 3,000 entries', name: 'cv.docx', type: DOCX, bytes: () => wordOpenXml(Array.from({ length: 3000 }, (_, index) => ({ name: `word/${index}`, bytes: Buffer.alloc(0) }))), status: 422 },
  { what: 'a .docx with a path that leads out', name: 'cv.docx', type: DOCX, bytes: () => wordOpenXml([{ name: '../../etc/cron.d/x', bytes: Buffer.from('x') }]), status: 422 },
  { what: 'a .docx with an absolute path', name: 'cv.docx', type: DOCX, bytes: () => wordOpenXml([{ name: '/etc/passwd', bytes: Buffer.from('x') }]), status: 422 },
  { what: 'a .docx with two documents', name: 'cv.docx', type: DOCX, bytes: () => wordOpenXml(wordParts()), status: 422 },
  { what: 'a .docx whose list of contents has 2 MB', name: 'cv.docx', type: DOCX, bytes: () => zip(wordParts().map((part, at) => (at === 0 ? { ...part, bytes: joined(part.bytes, randomText(2_000_000)) } : part))), status: 422 },
  { what: 'an empty .docx', name: 'cv.docx', type: DOCX, bytes: text(''), status: 422 },
  { what: 'a text', name: 'cv.txt', type: 'text/plain', bytes: text('hello'), status: 415 },
  { what: 'a program', name: 'cv.exe', type: 'application/x-msdownload', bytes: executable, status: 415 },
];

/** Main stream of an embedded document. */
const embeddedMain = { name: 'WordDocument', bytes: Buffer.alloc(4096) };

function renamed(bytes: Buffer, name: string, other: string): Buffer {
  bytes.write(other, bytes.indexOf(Buffer.from(name, 'utf16le')), 'utf16le');
  return bytes;
}

/** Returns text that compresses poorly, the same in every run. */
function randomText(length: number): Buffer {
  let seed = 1;
  return Buffer.from(Array.from({ length }, () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) >> 16));
}
