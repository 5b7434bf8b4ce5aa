import { drops, inText, replaces, returns, without } from '../mutate.ts';
import { inExport, type Fault } from '../fault.ts';

/** The forms, with and without JavaScript, and the pages. */
export const faults: readonly Fault[] = [
  {
    breaks: 'A form is shown as sent only if the service says so',
    file: 'frontend/src/features/submit.ts',
    apply: inExport('resultOf', without('answer.success === true')),
    test: 'frontend/src/features/submit.test.ts',
  },
  {
    breaks: 'Two clicks send a form once',
    file: 'frontend/src/features/use-submission.ts',
    apply: inExport('useSubmission', drops('if (isBusy.current) return;')),
    test: 'frontend/src/features/section-form.test.tsx',
  },
  {
    breaks: 'A form that is drawn again keeps what was typed',
    file: 'frontend/src/features/hydrate.ts',
    apply: inExport('hydrator', drops('control.value = old.value')),
    test: 'frontend/src/features/hydrate.test.tsx',
  },
  {
    breaks: 'A form whose scripts failed to load loads them at the next touch',
    file: 'frontend/src/boot/load-islands.ts',
    apply: inExport('loadIslands', without('setTimeout(listen, PAUSE_MS)')),
    test: 'e2e/islands.spec.ts',
    title: 'are fetched again on the next focus',
  },
  {
    breaks: 'A rejected form without JavaScript keeps what was typed',
    file: 'form-service/src/intake/pages/pages.ts',
    apply: inExport('textIn', returns("''")),
    test: 'form-service/src/intake/pages/pages.test.ts',
  },
  {
    breaks: 'The idempotency key of a form without JavaScript counts',
    file: 'form-service/src/intake/submission-request.ts',
    apply: inExport('idempotencyKeyOf', without('IDEMPOTENCY_FIELD')),
    test: 'form-service/src/intake/contact.integration.ts',
    title: 'in the field of a plain form',
  },
  {
    breaks: 'Nothing is tracked before consent',
    file: 'frontend/src/boot/consent.ts',
    apply: inExport('startConsent', replaces("stored === 'accepted'", 'true')),
    test: 'frontend/src/boot/consent.test.ts',
  },
  {
    breaks: 'Search engines do not list the error page',
    file: 'frontend/src/app/head.ts',
    apply: inExport('headHtml', inText('noindex', 'index')),
    test: 'frontend/test/site/head.test.ts',
  },
];
