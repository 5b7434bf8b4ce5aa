import { expect, test } from '@jest/globals';
import { analyticsScript } from './cookie-banner.tsx';

test('analytics script > gets data attributes from the fragment of its address', () => {
  expect(analyticsScript('https://stats.example/script.js?v=1&w=2#website-id=01-23&domains=a.example,b.example')).toBe(
    '<script async src="https://stats.example/script.js?v=1&amp;w=2" data-website-id="01-23" data-domains="a.example,b.example"></script>',
  );
});

test('analytics script > escapes its address', () => {
  expect(analyticsScript('https://stats.example/"><b>#id="><b>')).toBe(
    '<script async src="https://stats.example/&quot;>&lt;b>" data-id="&quot;>&lt;b>"></script>',
  );
});
