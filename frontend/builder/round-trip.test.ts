import { randomBytes } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { toLine } from './content/findings.ts';
import { FIRST_BYTES, firstSectionBytes, lengthReminders } from './round-trip.ts';

/** Text that compresses badly, as long as many words. */
const words = (bytes: number) => randomBytes(bytes).toString('base64');

/** A page with so many bytes of text in and below its first section. */
function page(first: number, below: number) {
  const html = `<main><section>${words(first)}</section><section>${words(below)}</section></main>`;
  return { file: 'pages/a.yaml', html, sent: brotliCompressSync(html) };
}

test('first section > is complete after its bytes, and not one byte before', () => {
  const { html, sent } = page(2_000, 5_000);
  const beginning = (bytes: number) =>
    brotliDecompressSync(sent.subarray(0, bytes), { finishFlush: constants.BROTLI_OPERATION_FLUSH }).toString();
  const bytes = firstSectionBytes({ html, sent });
  expect(beginning(bytes)).toContain('</section>');
  expect(beginning(bytes - 1)).not.toContain('</section>');
  expect(bytes).toBeLessThan(sent.length / 2);
});

test('text > is a reminder at its file > if it does not arrive in the first round trip', () => {
  const reminders = lengthReminders([page(100, 100), page(100, FIRST_BYTES), page(FIRST_BYTES, 100)]);
  expect(reminders.map(({ severity }) => severity)).toEqual(['reminder', 'reminder']);
  expect(reminders.map(toLine)).toEqual([
    expect.stringMatching(/^content\/pages\/a\.yaml:1: is long: compressed, its last \d+ bytes arrive later/),
    expect.stringMatching(/^content\/pages\/a\.yaml:1: the first screen is \d+ bytes too long to arrive at once/),
  ]);
});
