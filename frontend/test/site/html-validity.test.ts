/** @jest-environment node */
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { FileSystemConfigLoader, HtmlValidate } from 'html-validate';
import { pageFile, PAGES, SITE } from './built-site.ts';

/** Three rule sets. Files of the page's own origin need no hash: they are as trustworthy as the page. */
const validator = new HtmlValidate(
  new FileSystemConfigLoader({
    root: true,
    extends: ['html-validate:standard', 'html-validate:document', 'html-validate:a11y'],
    rules: { 'require-sri': ['error', { target: 'crossorigin' }] },
  }),
);

test.each(PAGES)('%s is valid HTML', async (path) => {
  const { results } = await validator.validateFile(join(SITE, pageFile(path)));
  const messages = results.flatMap((result) =>
    result.messages.map(({ ruleId, message, selector, offset }) => `${ruleId}: ${message} (${selector ?? offset})`),
  );
  expect(messages).toEqual([]);
});
