import { drops, replaces, without } from '../mutate.ts';
import { inExport, inFile, type Fault } from '../fault.ts';

/** Limits for floods, spam and hostile files, and the rules of nginx. */
export const faults: readonly Fault[] = [
  {
    breaks: 'A zip bomb is refused',
    file: 'form-service/src/documents/word-package.ts',
    apply: inExport('readEntries', without('isBomb')),
    test: 'form-service/src/documents/identify-document.test.ts',
  },
  {
    breaks: 'A form that the disk has no room for is refused',
    file: 'form-service/src/intake/file-upload.service.ts',
    apply: inExport('FileUpload.receive', drops('no room for another file')),
    test: 'form-service/src/intake/application.integration.ts',
    title: 'the disk is full',
  },
  {
    breaks: 'A client that floods a form is limited',
    file: 'form-service/src/http/client-limits.ts',
    apply: inExport('ClientLimits.countSubmission', drops('words.tooManyRequests')),
    test: 'form-service/src/intake/contact.integration.ts',
    title: 'applies the rate limit',
  },
  {
    breaks: 'A filled honeypot quarantines',
    file: 'form-service/src/spam/spam-filter.service.ts',
    apply: inExport('SpamFilter.reasonsFor', drops('honeypot filled')),
    test: 'form-service/src/spam/spam-filter.test.ts',
  },
  {
    breaks: 'The policy allows no other inline script',
    file: 'frontend/builder/csp-hashes.ts',
    apply: inExport('cspHashes', replaces('[hash(boot), hash(WAIT), origin]', '["\'unsafe-inline\'", origin]')),
    test: 'frontend/builder/csp-hashes.test.ts',
  },
  {
    breaks: 'No cache keeps a page of the inbox',
    file: 'nginx/snippets/cache-control.conf',
    apply: inFile('(api|inbox|healthz/deliveries)', '(api|healthz/deliveries)'),
    test: 'e2e/nginx/api.spec.ts',
  },
  {
    breaks: 'A visitor cannot claim an address',
    file: 'nginx/snippets/proxy.conf',
    apply: inFile('X-Forwarded-For $remote_addr', 'X-Forwarded-For $proxy_add_x_forwarded_for'),
    test: 'e2e/nginx/api.spec.ts',
  },
  {
    breaks: 'nginx sends a form to one api',
    file: 'nginx/snippets/proxy.conf',
    apply: inFile('proxy_next_upstream error timeout', 'proxy_next_upstream error timeout non_idempotent'),
    test: 'e2e/nginx/replicas.spec.ts',
  },
  {
    breaks: 'nginx limits sign-ins',
    file: 'nginx/snippets/limits.conf',
    apply: inFile('zone=inbox:10m rate=5r/s', 'zone=inbox:10m rate=50r/s'),
    test: 'e2e/nginx/api.spec.ts',
  },
  {
    breaks: 'Errors have the security headers',
    file: 'nginx/snippets/security-headers.conf',
    apply: inFile('X-Content-Type-Options nosniff always', 'X-Content-Type-Options nosniff'),
    test: 'e2e/nginx/headers.spec.ts',
  },
];
