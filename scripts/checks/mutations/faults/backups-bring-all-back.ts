import { drops, replaces } from '../mutate.ts';
import { inExport, type Fault } from '../fault.ts';

/** An archive has everything, and a restore changes nothing unless it is whole and wanted. */
export const faults: readonly Fault[] = [
  {
    breaks: 'An archive has every page of submissions',
    file: 'form-service/src/database/database.ts',
    apply: inExport('Database.readPages', replaces('page.length === this.pageRows', 'false')),
    test: 'form-service/src/cli/restore.integration.ts',
    title: 'several pages',
  },
  {
    breaks: 'A changed archive restores nothing',
    file: 'form-service/src/cli/archive.ts',
    apply: inExport('checkedArchive', replaces('!isDeepStrictEqual(manifest.members, found)', 'false')),
    test: 'form-service/src/cli/backup.integration.ts',
    title: 'restore changes nothing',
  },
  {
    breaks: 'A restore without --replace spares a database that is not empty',
    file: 'form-service/src/cli/restore.ts',
    apply: inExport('refuseUnlessEmpty', drops('The database in DATABASE_URL is not empty')),
    test: 'form-service/src/cli/backup.integration.ts',
    title: 'restore rejects a store that is not empty',
  },
  {
    breaks: 'An older version leaves a database of a newer one alone',
    file: 'form-service/src/database/database.ts',
    apply: inExport('refuseUnprepared', drops('throw changedByNewer()')),
    test: 'form-service/src/database/database.integration.ts',
    title: 'of a newer version',
  },
];
