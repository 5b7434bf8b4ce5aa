import { replaces, returns } from '../mutate.ts';
import { inExport, type Fault } from '../fault.ts';

/** Mails arrive once and unharmed, whatever a mail server or a virus scanner does. */
export const faults: readonly Fault[] = [
  {
    breaks: 'A résumé is scanned before it is mailed',
    file: 'form-service/src/delivery/delivery.service.ts',
    apply: inExport('DeliveryService.needsScan', returns('false')),
    test: 'form-service/src/delivery/virus-scan.integration.ts',
    title: 'quarantines an infected application',
  },
  {
    breaks: 'A password is not sent to a mail server in clear text',
    file: 'form-service/src/config/mail-server-url.ts',
    apply: inExport('needsStartTls', returns('false')),
    test: 'form-service/src/mail/smtp/starttls.integration.ts',
    title: 'login over a network',
  },
  {
    breaks: 'Only a reply after the final dot accepts a mail',
    file: 'form-service/src/mail/smtp/smtp-client.ts',
    apply: inExport('SmtpClient._createSendStream', replaces('this.isFlushed = false', 'this.isFlushed = true')),
    test: 'form-service/src/mail/smtp/stray-replies.integration.ts',
    title: 'before the final dot is written',
  },
  {
    breaks: 'A temporary reply gives no mail up',
    file: 'form-service/src/mail/mail-error.ts',
    apply: inExport('verdictOnMessage', replaces('code < 500', 'code < 450')),
    test: 'form-service/src/mail/mail-error.test.ts',
  },
  {
    breaks: 'A mail server that is unavailable gets no mails',
    file: 'form-service/src/outbox/circuit-breaker.ts',
    apply: inExport('CircuitBreaker.open', replaces('this.isOpen = true', 'this.isOpen = false')),
    test: 'form-service/src/outbox/circuit-breaker.test.ts',
  },
  {
    breaks: 'An outage counts no attempt',
    file: 'form-service/src/delivery/delivery.service.ts',
    apply: inExport('DeliveryService.recordFailure', replaces("next === 'wait' || isWeighed", 'isWeighed')),
    test: 'form-service/src/delivery/failures.integration.ts',
    title: 'unavailable file storage',
  },
  {
    breaks: 'A visitor writes no header of a mail',
    file: 'form-service/src/contract/text.ts',
    apply: inExport('oneLine', replaces("!/[\\r\\n]/.test(value ?? '')", 'true')),
    test: 'form-service/src/contract/forms/contact.test.ts',
  },
  {
    breaks: 'Only a submission with a valid form token is acknowledged',
    file: 'form-service/src/intake/intake.service.ts',
    apply: inExport('IntakeService.notificationsOf', replaces('this.tokens.isValid(formToken)', 'true')),
    test: 'form-service/src/notifications/intake.integration.ts',
    title: 'only with a valid form token',
  },
];
