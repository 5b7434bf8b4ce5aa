import { describe, expect, test } from '@jest/globals';
import { cspHashes } from './csp-hashes.ts';

const parts = { styles: { '/a.html': 'body{color:red}' }, boot: 'alert(1)', analyticsUrl: '' };

/** The nginx variables that are the same for every file, by name. */
const settings = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/^map "" \$(\w+) \{ default "(.*)"; \}$/gm)].map(([, name, value]) => [name, value]),
  );

describe('Content-Security-Policy', () => {
  test('allows the inlined code only, by its SHA-256', () => {
    const text = cspHashes({ ...parts, styles: { '/a.html': '' }, boot: 'hello' });
    expect(text).toContain(
      `map $uri $csp_style_hashes {\n  default "";\n  /a.html "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";\n}`,
    );
    expect(settings(text)).toEqual({
      csp_script_hashes: "'sha256-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ='",
      csp_connect_origins: '',
    });
  });

  test('changes with the inlined code', () => {
    expect(cspHashes({ ...parts, boot: 'alert(2)' })).not.toBe(cspHashes(parts));
    expect(cspHashes({ ...parts, styles: { '/a.html': 'body{color:blue}' } })).not.toBe(cspHashes(parts));
  });

  test('allows the origin of the analytics script, without its path', () => {
    const { csp_script_hashes: scripts, csp_connect_origins: origins } = settings(
      cspHashes({ ...parts, analyticsUrl: 'https://stats.example:8443/js/s.js?site=1' }),
    );
    expect(scripts).toMatch(/^'sha256-[^']+' https:\/\/stats\.example:8443$/);
    expect(origins).toBe('https://stats.example:8443');
  });

  test('withstands injection through the address of the analytics script', () => {
    expect(settings(cspHashes({ ...parts, analyticsUrl: 'https://stats.example/";evil' })).csp_connect_origins).toBe(
      'https://stats.example',
    );
    expect(() => cspHashes({ ...parts, analyticsUrl: 'no address' })).toThrow('Invalid URL');
  });
});
