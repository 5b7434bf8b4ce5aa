import { Injectable } from '@nestjs/common';
import { FORMS } from '../contract/forms.ts';
import { Database } from '../database/database.ts';
import { propertyOf } from '../database/properties.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { Log } from '../observability/log.ts';
import { FileStorage } from '../files/file-storage.ts';
import { STATUSES } from './submission.ts';
import type { SubmissionSearchRepository } from './submission-search.repository.ts';

/** Forms whose submissions all have a file. */
const WITH_FILE = FORMS.filter(({ file }) => file?.required).map(({ kind }) => kind);

/** Database and files belong to different installations. Nothing is accepted, delivered or deleted until this is fixed. */
export class ForeignFilesError extends StorageUnavailableError {
  constructor() {
    super(
      'RESUMES_URL: these are the résumés of another installation than DATABASE_URL. Set it to an empty folder or prefix, ' +
        'or move both with "submissions backup" and "submissions restore"',
    );
  }
}

/**
 * Ensures that database and files belong together. A database gets an id when it is created. Files without a marker, from
 * a first start, are marked with this id; files with another id are refused. Replicas that start together
 * write the same id. If two installations mark one folder at the same time, the first one reads the other's marker before
 * its next clean-up.
 */
@Injectable()
export class Installation {
  private readonly log = new Log('Installation');

  constructor(
    private readonly database: Database,
    private readonly files: FileStorage,
  ) {}

  /** @throws ForeignFilesError if they do not belong together; StorageUnavailableError if this cannot be checked now */
  async confirm(): Promise<void> {
    const id = await installationId(this.database);
    const marker = (await this.files.readMarker()) ?? (await this.files.mark(id));
    if (marker === id) return;
    const error = new ForeignFilesError();
    this.log.error({ event: 'installation refused', cause: error.message });
    this.files.refuse(error);
    this.database.refuse(error);
    throw error;
  }
}

/** Returns the id that the database got when it was created. */
export async function installationId(database: Database): Promise<string> {
  const id = await propertyOf(database, 'installation');
  if (id === undefined) throw new Error('The database has lost its id.');
  return id;
}

/** @throws ForeignFilesError if the files have the marker of another installation; a marker that cannot be read passes */
export async function refuseForeignFiles(database: Database, files: FileStorage): Promise<void> {
  const marker = await files.readMarker().catch(() => undefined);
  if (marker !== undefined && marker !== (await installationId(database))) throw new ForeignFilesError();
}

/**
 * Refuses a storage without a marker if submissions have files. Most likely the folder is not mounted, and every file
 * would seem to be missing.
 */
export async function refuseUnmarkedFiles(search: SubmissionSearchRepository, files: FileStorage): Promise<void> {
  if ((await files.readMarker()) !== undefined) return;
  if ((await search.count({ forms: WITH_FILE, statuses: STATUSES })) > 0)
    throw new StorageUnavailableError(
      'RESUMES_URL: submissions name files, but this place has no file "installation". Is the folder mounted? If it is ' +
        'the right one, restart the api, which writes that file',
    );
}
