import { drops, inText, replaces } from '../mutate.ts';
import { inExport, type Fault } from '../fault.ts';

/** Erasure and retention: deleted data is gone, from copies and backups too, and nothing else is. */
export const faults: readonly Fault[] = [
  {
    breaks: 'An erasure leaves a tombstone',
    file: 'form-service/src/submissions/erasures.repository.ts',
    apply: inExport('recordErasure', replaces('ids.length > 0', 'false')),
    test: 'form-service/src/submissions/erasures.repository.integration.ts',
  },
  {
    breaks: 'An erasure removes the résumé',
    file: 'form-service/src/submissions/erasure.service.ts',
    apply: inExport('ErasureService.removeFile', drops('this.files.remove(key)')),
    test: 'form-service/src/submissions/erasure.integration.ts',
    title: 'removes row and file',
  },
  {
    breaks: 'Deleted text is overwritten in the database file',
    file: 'form-service/src/database/sqlite.thread.ts',
    apply: inExport('open', inText('secure_delete=ON', 'secure_delete=OFF')),
    test: 'form-service/src/database/database.integration.ts',
    title: 'overwrites deleted text',
  },
  {
    breaks: 'An erasure is complete only without copies in the log',
    file: 'form-service/src/database/database.ts',
    apply: inExport('Database.emptyLog', replaces('!rows[0]?.busy', 'true')),
    test: 'form-service/src/submissions/erasure.integration.ts',
    title: 'a reader holds the log',
  },
  {
    breaks: 'A restore brings back nothing that was erased',
    file: 'form-service/src/cli/restore.ts',
    apply: inExport('partsOf', replaces('(erasedAt.get(id) ?? -1) < receivedAt', 'true')),
    test: 'form-service/src/cli/restore.integration.ts',
    title: 'erased',
  },
  {
    breaks: 'A clock that has jumped deletes nothing',
    file: 'form-service/src/housekeeping/retention.service.ts',
    apply: inExport('RetentionService.isLargeShare', replaces('EXPIRED_MAX_SHARE', 'Infinity')),
    test: 'form-service/src/housekeeping/retention.integration.ts',
    title: 'stops after a jump of the clock',
  },
];
