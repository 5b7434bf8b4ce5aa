import { expect, test } from '@jest/globals';
import { messages } from 'form-service/contract/messages';
import { resumeProblem } from './file-input.tsx';

/** Returns a readable file, which jsdom lacks. */
const fileOf = (content: string, size = content.length) =>
  ({ name: 'cv.pdf', size, slice: (start: number, end: number) => new Blob([content.slice(start, end)]) }) as File;

/** A file in the cloud, or one that was deleted. */
const UNREADABLE = {
  ...fileOf('', 5),
  slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException('away', 'NotReadableError')) }),
} as unknown as File;

// The rules themselves are those of the service (contract/resume-file.test.ts).
test.each([
  ['is accepted > its first bytes are those of a PDF', fileOf('%PDF-1.7 1 0 obj'), undefined],
  ['is rejected > its first bytes are of another type', fileOf('MZ program'), messages.resumeWrongType],
  ['is rejected > it is too large', fileOf('%PDF-1.7', 10 * 1024 * 1024 + 1), messages.resumeTooLarge],
  ['is judged by its name > it cannot be read', UNREADABLE, undefined],
])('résumé > %s', async (_title, file, problem) => {
  expect(await resumeProblem(file)).toBe(problem);
});
