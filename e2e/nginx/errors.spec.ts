import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { serviceWords } from '../../form-service/src/contract/service-words.ts';
import { errorTexts } from '../../frontend/builder/nginx-errors.ts';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { expect, NginxServer, test } from './server.ts';
import { writeSmallBuild } from './small-site.ts';

/** A text that nginx, JSON and HTML would each take for something else. */
const TEXT = `„Größe“ > 5 $ & "C:\\new\\" it's <b>\${no} $status {2} ;`;
const HTML = TEXT.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll("'", '&#39;');

const same = <Words extends object>(words: Words): Words =>
  Object.fromEntries(
    Object.entries(words).map(([key, word]) => [key, typeof word === 'object' ? same(word as object) : TEXT]),
  ) as Words;

test('errors of nginx > have any text of the content in each format', async () => {
  const folder = makeTemporaryFolder();
  const words = {
    errors: same(serviceWords('errors')),
    plainPages: same(serviceWords('plainPages')),
    signIn: same(serviceWords('signIn')),
    fileTooLarge: TEXT,
  };
  writeSmallBuild(folder, { errors: errorTexts(words) });
  const nginx = await NginxServer.start({ variables: { SITE_CONFIG_DIR: join(folder, 'nginx') } });
  const answerIn = (accept: string) => nginx.request('/about', { method: 'POST', headers: { accept } });

  const { body: json } = await nginx.request('/api/x/../y', { headers: { accept: 'application/json' } });
  expect(JSON.parse(json)).toEqual({ success: false, message: TEXT });
  expect((await answerIn('text/plain')).body).toBe(`${TEXT}\n`);
  const { body: html } = await answerIn('text/html');
  expect(html.split(HTML)).toHaveLength(4 + 1);
  await nginx.close();
  rmSync(folder, { recursive: true });
});
