import { drops, inText, replaces, returns } from '../mutate.ts';
import { inExport, type Fault } from '../fault.ts';

/** Guarantees of a 202: stored durably and once, delivered by one worker. */
export const faults: readonly Fault[] = [
  {
    breaks: 'A 202 follows the commit of the row',
    file: 'form-service/src/intake/intake.service.ts',
    apply: inExport('IntakeService.insert', replaces('await this.submissions.insert(submission)', 'true')),
    test: 'form-service/src/intake/contact.integration.ts',
    title: 'stores an enquiry and answers',
  },
  {
    breaks: 'A commit survives a power cut',
    file: 'form-service/src/database/sqlite.thread.ts',
    apply: inExport('open', inText('synchronous=FULL', 'synchronous=NORMAL')),
    test: 'form-service/src/database/database.integration.ts',
    title: 'syncs the log at each commit',
  },
  {
    breaks: 'PostgreSQL without durable commits is refused',
    file: 'form-service/src/database/postgres.dialect.ts',
    apply: inExport('VerifiedPool.verify', replaces("session?.[name] === 'off'", 'false')),
    test: 'form-service/src/database/database.integration.ts',
    title: 'rejects a server with',
  },
  {
    breaks: 'A résumé is on the disk before its row',
    file: 'form-service/src/submissions/folder-store.ts',
    apply: inExport('FolderStore.put', drops('sync(from)')),
    test: 'form-service/src/submissions/resume-files.integration.ts',
    title: 'syncs the file before',
  },
  {
    breaks: 'A repeat under one idempotency key is one submission',
    file: 'form-service/src/submissions/submission-id.ts',
    apply: inExport('keyedSubmissionId', returns('randomSubmissionId()')),
    test: 'form-service/src/intake/contact.integration.ts',
    title: 'stores one submission > 20 concurrent requests',
  },
  {
    breaks: 'Another file under a used key is refused',
    file: 'form-service/src/intake/intake.service.ts',
    apply: inExport('digestOf', replaces('upload?.facts.sha256', 'upload?.facts.name')),
    test: 'form-service/src/intake/application.integration.ts',
    title: 'stores repeats once',
  },
  {
    breaks: 'What Redis loses is sent',
    file: 'form-service/src/delivery/delivery.processor.ts',
    apply: inExport('DeliveryProcessor.addDue', drops('this.queue.addAll(ids)')),
    test: 'form-service/src/delivery/failures.integration.ts',
    title: 'survives a loss of Redis',
  },
  {
    breaks: 'One worker leases a submission',
    file: 'form-service/src/submissions/submissions.repository.ts',
    apply: inExport('take', drops('values.delete(id)')),
    test: 'form-service/src/submissions/submissions.repository.integration.ts',
    title: 'gives the lease to one of many workers',
  },
  {
    breaks: 'Only the holder of a lease writes the result',
    file: 'form-service/src/submissions/submissions.repository.ts',
    apply: inExport('SubmissionsRepository.endLeases', inText(' AND lease_token = ended.token', '')),
    test: 'form-service/src/submissions/submissions.repository.integration.ts',
    title: 'another worker has taken over the lease',
  },
  {
    breaks: 'A slow delivery keeps its lease',
    file: 'form-service/src/outbox/leased-work.ts',
    apply: inExport('LeasedWork.runOn', replaces('work.renew(row)', 'Promise.resolve(true)')),
    test: 'form-service/src/outbox/leased-work.test.ts',
    title: 'is renewed while the work runs',
  },
  {
    breaks: 'A mail whose result cannot be stored is not sent twice',
    file: 'form-service/src/outbox/leased-work.ts',
    apply: inExport('LeasedWork.write', replaces('error instanceof StorageUnavailableError', 'false')),
    test: 'form-service/src/delivery/failures.integration.ts',
    title: 'causes no second mail',
  },
];
