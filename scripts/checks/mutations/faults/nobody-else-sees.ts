import { replaces, returns } from '../mutate.ts';
import { inExport, inFile, type Fault } from '../fault.ts';

/** Roles, and visitors' data in logs, links and exports. */
export const faults: readonly Fault[] = [
  {
    breaks: 'A page of a submission opens only for its role',
    file: 'form-service/src/inbox/inbox-access.service.ts',
    apply: inExport('InboxAccess.visible', replaces('isVisible(found, this.scopeOf(response))', 'true')),
    test: 'form-service/src/inbox/inbox.integration.ts',
    title: 'answers 404 to sales for applications',
  },
  {
    breaks: 'Another department gets a submission only after a question',
    file: 'form-service/src/inbox/submission.controller.ts',
    apply: inExport('SubmissionController.sendOn', replaces("form.get('confirmed') !== to", 'false')),
    test: 'form-service/src/inbox/handling.integration.ts',
    title: 'goes to another department only after a question',
  },
  {
    breaks: 'A log has allowed fields only',
    file: 'form-service/src/observability/pino-logger.ts',
    apply: inExport('lineOf', replaces('ALLOWED.has(name)', 'true')),
    test: 'form-service/src/observability/pino-logger.test.ts',
  },
  {
    breaks: 'A logged error does not quote a visitor',
    file: 'form-service/src/http/exception.filter.ts',
    apply: inExport('HttpExceptionFilter.report', replaces('cause.name', 'cause.message')),
    test: 'form-service/src/http/exception.filter.test.ts',
  },
  {
    breaks: 'The access log of nginx has no path that a visitor typed',
    file: 'nginx/snippets/access-log.conf',
    apply: inFile('"path":"$log_path"', '"path":"$request_uri"'),
    test: 'e2e/nginx/log.spec.ts',
  },
  {
    breaks: 'Text of a visitor is no markup in mails and pages',
    file: 'form-service/src/html/template.ts',
    apply: inExport('escapeHtml', returns('text')),
    test: 'form-service/src/html/template.test.ts',
  },
  {
    breaks: 'Text of a visitor is no formula in a spreadsheet',
    file: 'form-service/src/export/submission-table.ts',
    apply: inExport('escapeFormula', returns('value')),
    test: 'form-service/src/cli/program.test.ts',
    title: 'neutralises formulas in CSV',
  },
  {
    breaks: 'The webhook reaches no private network by a public name',
    file: 'form-service/src/notifications/webhook.service.ts',
    apply: inExport('publicOnly', replaces("!NON_PUBLIC.check(address, family === 6 ? 'ipv6' : 'ipv4')", 'true')),
    test: 'form-service/src/notifications/webhook.test.ts',
  },
];
