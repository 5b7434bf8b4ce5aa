import { expect, test } from '@jest/globals';
import { cspHashes } from './csp-hashes.ts';

// The hashes are compared with the built pages (test/site/machine-files.test.ts).
const policyWith = (analyticsUrl: string) => cspHashes({}, '', analyticsUrl);

test.each([
  ['', ''],
  ['https://stats.example:8443/js/s.js?site=1', 'https://stats.example:8443'],
  ['https://stats.example/";evil', 'https://stats.example'],
])('Content-Security-Policy > allows the origin of the analytics script alone > %s', (address, origin) => {
  expect(policyWith(address)).toMatch(
    new RegExp(
      `"'sha256-[^']+'${origin && ` ${origin}`}"; \\}\nmap "" \\$csp_connect_origins \\{ default "${origin}"; \\}\n$`,
    ),
  );
});

test('Content-Security-Policy > needs a complete address', () => {
  expect(() => policyWith('no address')).toThrow('Invalid URL');
});
