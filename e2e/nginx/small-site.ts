import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { FORMS } from '../../form-service/src/contract/forms.ts';
import { errorTexts } from '../../frontend/builder/nginx-errors.ts';
import { formLocations, formMap, type ProxiedForm } from '../../frontend/builder/forms.ts';

const SITE: Readonly<Record<string, string>> = {
  'index.html': '<h1>Home</h1>',
  'about.html': '<h1>About</h1>',
  'services.html': '<h1>Services</h1>',
  'services/web-development.html': '<h1>Web</h1>',
  '404.html': '<h1>404 Page Not Found</h1>',
  'site.css': 'body{}',
  'mark.svg': '<svg/>',
  'robots.txt': '',
  'assets/font-AbCd1234.woff2': 'font',
  'assets/app-AbCd1234.js': 'export {}',
  'assets/app-AbCd1234.js.map': '{}',
  'images/hero.svg': '<svg/>',
  '.well-known/security.txt': 'Contact: mailto:hello@kitewright.example',
  '.secret': 'secret',
};

export interface SmallBuild {
  readonly files?: Readonly<Record<string, string>>;
  readonly analyticsOrigin?: string;
  readonly forms?: readonly ProxiedForm[];
  readonly errors?: string;
}

/**
 * Writes the output of a frontend build: `site/`, recognisable hashes for the Content-Security-Policy, and the forms and
 * errors of the contract or others.
 */
export function writeSmallBuild(
  folder: string,
  { files = SITE, analyticsOrigin = '', forms = FORMS, errors = errorTexts() }: SmallBuild = {},
): void {
  for (const [name, text] of Object.entries(files)) writeCompressed(join(folder, 'site', name), text);
  mkdirSync(join(folder, 'nginx'), { recursive: true });
  writeFileSync(
    join(folder, 'nginx/csp-hashes.conf'),
    `map $uri $csp_style_hashes { default "'sha256-style'"; }
map "" $csp_script_hashes { default "${["'sha256-script'", analyticsOrigin].filter(Boolean).join(' ')}"; }
map "" $csp_connect_origins { default "${analyticsOrigin}"; }
`,
  );
  writeFileSync(join(folder, 'nginx/forms.conf'), formMap(forms));
  writeFileSync(join(folder, 'nginx/form-locations.conf'), formLocations(forms));
  writeFileSync(join(folder, 'nginx/error-texts.conf'), errors);
}

function writeCompressed(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  writeFileSync(`${path}.gz`, gzipSync(text));
  writeFileSync(`${path}.br`, brotliCompressSync(text));
}
