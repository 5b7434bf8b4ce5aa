import { describe, expect, test } from '@jest/globals';
import { cspHashes } from './csp-hashes.ts';

const parts = { styles: { '/a.html': 'body{color:red}' }, boot: 'alert(1)', analyticsUrl: '' };

/** The nginx variables that are the same for every file, by name. */
const settings = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/^map "" \$(\w+) \{ default "(.*)"; \}$/gm)].map(([, name, value]) => [name, value]),
  );

describe('the settings of the Content-Security-Policy', () => {
  test('allow exactly what is inlined, by its SHA-256', () => {
    const text = cspHashes({ ...parts, styles: { '/a.html': '' }, boot: 'hello' });
    expect(text).toContain(
      `map $uri $csp_style_hashes {\n  default "";\n  /a.html "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";\n}`,
    );
    expect(settings(text)).toEqual({
      csp_script_hashes: "'sha256-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ='",
      csp_connect_origins: '',
    });
  });

  test('change with the text', () => {
    expect(cspHashes({ ...parts, boot: 'alert(2)' })).not.toBe(cspHashes(parts));
    expect(cspHashes({ ...parts, styles: { '/a.html': 'body{color:blue}' } })).not.toBe(cspHashes(parts));
  });

  test('allow the origin of the operator’s analytics script, and not its path', () => {
    const { csp_script_hashes: scripts, csp_connect_origins: origins } = settings(
      cspHashes({ ...parts, analyticsUrl: 'https://stats.example:8443/js/s.js?site=1' }),
    );
    expect(scripts).toMatch(/^'sha256-[^']+' https:\/\/stats\.example:8443$/);
    expect(origins).toBe('https://stats.example:8443');
  });

  test('cannot be broken by what the address of that script holds', () => {
    expect(settings(cspHashes({ ...parts, analyticsUrl: 'https://stats.example/";evil' })).csp_connect_origins).toBe(
      'https://stats.example',
    );
    expect(() => cspHashes({ ...parts, analyticsUrl: 'no address' })).toThrow('Invalid URL');
  });
});
