import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FORMS } from '../../form-service/src/contract/forms.ts';
import { formLocations } from '../../frontend/builder/forms.ts';
import {
  expect,
  root,
  SECURITY_HEADERS,
  test,
  type NginxResponse,
  type NginxServer,
  type RequestOptions,
} from './server.ts';

const FILES = ['site.conf', ...['inbox', 'server-defaults', 'error-pages'].map((name) => `snippets/${name}.conf`)];
const configuration = (file: string) => readFileSync(join(root, 'nginx', file), 'utf8');
const POST = { method: 'POST', body: '{}' };
const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';

/** Requests for each location, with the expected status. */
const REQUESTS: Readonly<
  Record<string, readonly (readonly [path: string, status: number, options?: RequestOptions])[]>
> = {
  ...Object.fromEntries(FORMS.filter(({ file }) => file).map(({ path }) => [`= ${path}`, [[path, 202, POST]]])),
  '~ ^/api(/|$)': [
    ['/api', 202],
    ['/api/contact', 202, POST],
    ['/api-guide', 404],
  ],
  '~ ^/inbox(/|$)': [
    ['/inbox', 202],
    ['/inbox/export.csv', 202],
    ['/inbox/KW-0/resume', 202, { method: 'HEAD' }],
  ],
  '/assets/': [
    ['/assets/app-AbCd1234.js', 200],
    ['/assets/none.js', 404],
  ],
  '= /': [
    ['/', 200],
    ['/', 405, POST],
  ],
  '= /404.html': [['/404.html', 404]],
  '^~ /.well-known/': [['/.well-known/security.txt', 200]],
  '~ (^/404$|/\\.|\\.(map|br|gz)$)': [
    ['/404', 404],
    ['/.secret', 404],
    ['/site.css.gz', 404],
  ],
  '/': [
    ['/about', 200],
    ['/About/', 301],
    ['/site.css', 200],
    ['/images/hero.svg', 200],
    ['/nothing', 404],
    ['/metrics', 404],
    ['/health/ready', 404],
  ],
  '= /healthz': [['/healthz', 200]],
  '= /healthz/deliveries': [
    ['/healthz/deliveries', 202],
    ['/healthz/deliveries', 202, { method: 'HEAD' }],
    ['/healthz/deliveries', 413, { headers: { 'content-length': 2_000 } }],
  ],
  '= /-/error/json': [
    ['/-/error/json', 404],
    ['/api/contact', 413, { method: 'POST', headers: { 'content-length': 9_999_999 } }],
  ],
  '= /-/error/text': [['/api//x', 404, { headers: { accept: 'text/plain' } }]],
  '= /-/error/html': [
    ['/../x', 400, { headers: { accept: BROWSER } }],
    ['/inbox/sign-in', 413, { method: 'POST', headers: { accept: BROWSER, 'content-length': 20_000 } }],
  ],
  '/-/error/': [['/-/error/other', 404]],
  '^~ /.well-known/acme-challenge/': [['/.well-known/acme-challenge/none', 404]],
};

test('locations > are all covered by a request', () => {
  const locations = [...FILES.map(configuration), formLocations(FORMS)].flatMap((text) =>
    [...text.matchAll(/^ *location (.+) \{/gm)].map(([, location]) => location),
  );
  expect(Object.keys(REQUESTS).sort()).toEqual(locations.sort());
});

/** Headers that nginx adds, and api or worker send too. */
const ADDED = [...configuration('snippets/proxy.conf').matchAll(/^proxy_hide_header (\S+);/gm)].map(
  ([, header = '']) => header,
);

/** Creates an upstream that sends each of these headers. */
const respondWithAllHeaders =
  (status: number): NginxServer['upstream'] =>
  (request, response) => {
    request.resume();
    const own = Object.fromEntries(ADDED.map((name) => [name, 'upstream']));
    response.writeHead(status, { ...own, 'content-type': 'text/html' }).end();
  };

const repeatedIn = ({ headerNames }: NginxResponse) =>
  headerNames.filter((name, index) => headerNames.indexOf(name) !== index);

const SUBRESOURCE = /\.(css|js)$/;

/** Headers of a response. Subresources have only those that they need; the inbox has a script of its own. */
function headersOf(path: string, status: number): object {
  if (status === 200 && SUBRESOURCE.test(path)) return SUBRESOURCE_HEADERS;
  if (!path.startsWith('/inbox') || status !== 202) return SECURITY_HEADERS;
  const script = expect.stringMatching(/; script-src http:\/\/[\w.:]+\/inbox-keys\.js; /);
  return { ...SECURITY_HEADERS, 'content-security-policy': script, 'referrer-policy': 'same-origin' };
}
const SUBRESOURCE_HEADERS = Object.fromEntries(
  Object.entries(SECURITY_HEADERS).filter(([name]) => /^(x-|cross-origin-(resource|opener)|permissions)/.test(name)),
);

for (const [location, requests] of Object.entries(REQUESTS)) {
  for (const [path, status, options] of requests) {
    test(`${location} > has each header once > ${options?.method ?? 'GET'} ${path} ${status}`, async ({ nginx }) => {
      nginx.upstream = respondWithAllHeaders(202);
      const answer = await nginx.request(path, options);
      expect(answer.status).toBe(status);
      expect(repeatedIn(answer)).toEqual([]);
      expect(answer.headers).toMatchObject({ ...headersOf(path, answer.status), server: 'nginx' });
      const others = Object.keys(SECURITY_HEADERS).filter((name) => !(name in SUBRESOURCE_HEADERS));
      if (status === 200 && SUBRESOURCE.test(path))
        for (const name of others) expect(answer.headers[name], name).toBeUndefined();
      // HTTP Observatory also checks cookies and CORS.
      for (const name of ['x-powered-by', 'set-cookie', 'access-control-allow-origin'])
        expect(answer.headers[name], name).toBeUndefined();
      if (status === 405) expect(answer.headers.allow).toBe('GET, HEAD');
      const kept = answer.headers['cache-control'];
      if (/^\/(api|inbox|healthz\/deliveries)/.test(path)) expect(kept).toBe('no-store, no-transform');
      // Proxies must not rewrite the addresses of a page. They may compress a picture.
      const isAsset = answer.status === 200 && /^\/(assets|images)\//.test(path);
      expect(String(kept).includes('no-transform')).toBe(!isAsset);
    });
  }
}

for (const status of [303, 401, 404, 405, 422, 429, 500, 503]) {
  test(`service > repeats no header > status ${status}`, async ({ nginx }) => {
    nginx.upstream = respondWithAllHeaders(status);
    for (const path of ['/api/contact', '/inbox/KW-0']) {
      const answer = await nginx.request(path, POST);
      expect([answer.status, repeatedIn(answer)]).toEqual([status, []]);
    }
  });
}

/** Paths that nginx normalises to /api or /inbox, but Express does not, and paths that are not public. */
const RAW_PATHS = String.raw`//inbox /x/../inbox /metrics/..%2finbox /inbox/..;/metrics /inbox/../inbox /inbox//KW-0 /inbox/./KW-0
/inbox/%2e%2e/inbox/KW-0 /inbox/KW-0%2f..%2fKW-1 /%69nbox /inbox%2fKW-0 /inbox/KW-0;x=y /inbox/KW-0%00 /inbox/KW-0%0aX
/inbox/\metrics //api/contact /x/../api/contact /metrics/..%2fapi/contact /%61pi/contact /api//contact /api/../metrics
/api/..%2fmetrics /api/..;/metrics /api/./contact /api/contact%2f..%2f..%2fmetrics /api/contact/../../health/live
/api/%2e%2e/metrics /api/form-token%0d%0aX-Injected:1 /healthz/../healthz/deliveries /healthz//deliveries
/healthz/deliveries/ /healthz/deliveries/..%2f..%2fmetrics /healthz/%64eliveries`;

const PASSED_ON =
  '/inbox /inbox/ /inbox?q=%2e%2e// /inbox/KW-3F9K-Q7TM-X2VD-8HNC/resume /api/x /healthz/deliveries /healthz/deliveries?at=1';

test('service > gets no path that it would read differently, and all others unchanged', async ({ nginx }) => {
  const seen: (string | undefined)[] = [];
  nginx.upstream = ({ url }, response) => {
    seen.push(url);
    response.end();
  };
  for (const path of RAW_PATHS.split(/\s/))
    for (const options of [{}, POST])
      expect.soft([404, 400], path).toContain((await nginx.request(path, options)).status);
  expect(seen).toEqual([]);
  for (const path of PASSED_ON.split(' ')) expect((await nginx.request(path)).status, path).toBe(200);
  expect(seen).toEqual(PASSED_ON.split(' '));
});
