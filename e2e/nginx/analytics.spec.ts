import { expect, test } from './server.ts';

test.use({ setup: { analyticsOrigin: 'https://stats.example' } });

test('with an analytics script the policy allows its origin, and demands no trusted types of it', async ({ nginx }) => {
  const directives = String((await nginx.ask('/')).headers['content-security-policy']).split('; ');
  expect(directives).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self' 'sha256-script' https://stats.example", "connect-src 'self' https://stats.example"]));
  expect(directives.filter((directive) => directive.includes('stats.example'))).toHaveLength(2);
  expect(directives.join()).not.toMatch(/trusted-types|unsafe/);
});
