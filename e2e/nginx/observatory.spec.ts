import { observatoryScore } from './observatory-score.ts';
import { expect, test } from './server.ts';

test.use({ setup: { variables: { TRUSTED_PROXIES: '127.0.0.1' } } });

/** What a proxy that ends TLS in front of nginx says. */
const OVER_TLS = { headers: { 'X-Forwarded-Proto': 'https' } };

for (const path of ['/', '/about', '/nothing', '/api/contact']) {
  test(`${path} scores A+ with at least 130 points by the rules of the HTTP Observatory`, async ({ nginx }) => {
    nginx.upstream = (_, response) => void response.end('{}');
    const { total, parts } = observatoryScore(await nginx.ask(path, OVER_TLS));
    expect(parts).toEqual({
      'content security policy': 10,
      cookies: 0,
      'cross-origin resource sharing': 0,
      'cross-origin resource policy': 10,
      'referrer policy': 5,
      'strict transport security': 0,
      'subresource integrity': 0,
      'content type options': 0,
      'frame options': 5,
    });
    expect(total).toBeGreaterThanOrEqual(130);
  });
}

test('the rules take points from headers that are worse', () => {
  const scoreOf = (headers: Record<string, string>, body = '') => observatoryScore({ status: 200, headers, body });
  expect(scoreOf({}).total).toBe(100 - 25 - 20 - 5 - 20);
  const policyScore = (policy: string) =>
    scoreOf({ 'content-security-policy': policy }).parts['content security policy'];
  expect(policyScore("default-src 'self'")).toBe(5);
  expect(policyScore("default-src 'none'; style-src 'unsafe-inline'")).toBe(0);
  expect(policyScore("default-src 'none'; script-src 'unsafe-eval'")).toBe(-10);
  expect(policyScore("script-src 'self'")).toBe(-20);
  expect(policyScore("default-src 'none'; script-src 'unsafe-inline'")).toBe(-20);
  expect(scoreOf({ 'strict-transport-security': 'max-age=60' }).parts['strict transport security']).toBe(-10);
  expect(scoreOf({}, '<script async src=https://elsewhere.example/x.js>').parts['subresource integrity']).toBe(-5);
});
