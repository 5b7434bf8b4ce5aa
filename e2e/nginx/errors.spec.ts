import { serviceWords } from '../../form-service/src/contract/service-words.ts';
import { errorTexts } from '../../frontend/builder/nginx-errors.ts';
import { expect, NginxServer, test } from './server.ts';

/** A text that nginx, JSON and HTML would each take for something else. */
const TEXT = `„Größe“ > 5 $ & "C:\\new\\" it's <b>\${no} $status {2} ;`;
const HTML = TEXT.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll("'", '&#39;');

const same = <Words extends object>(words: Words): Words =>
  Object.fromEntries(
    Object.entries(words).map(([key, word]) => [key, typeof word === 'object' ? same(word as object) : TEXT]),
  ) as Words;

test('errors of nginx > have any text of the content in each format', async () => {
  const words = {
    errors: same(serviceWords('errors')),
    plainPages: same(serviceWords('plainPages')),
    fileTooLarge: TEXT,
  };
  const nginx = await NginxServer.start({ build: { errors: errorTexts(words) } });
  const answerIn = (accept: string) => nginx.request('/api/x/../y', { headers: { accept } });

  expect(JSON.parse((await answerIn('application/json')).body)).toEqual({ success: false, message: TEXT });
  expect((await answerIn('text/plain')).body).toBe(`${TEXT}\n`);
  const { body: html } = await answerIn('text/html');
  expect(html.split(HTML)).toHaveLength(4 + 1);
  await nginx.close();
});
