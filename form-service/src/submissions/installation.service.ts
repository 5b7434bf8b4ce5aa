import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../database/database.ts';
import { propertyOf } from '../database/properties.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { ResumeFiles } from './resume-files.ts';

/** Database and files belong to different installations. Nothing is accepted, delivered or deleted until that is mended. */
export class ForeignFilesError extends StorageUnavailableError {
  constructor() {
    super(
      'RESUMES_URL: these are the résumés of another installation than DATABASE_URL; name an empty folder or prefix, or ' +
        'move both by "submissions backup" and "submissions restore"',
    );
  }
}

/**
 * Makes sure that database and files belong together. The database has had an id since it was made. Files without a
 * marker, those of a first start and of version 0.2, are marked with it; a marker with another id is refused. Replicas
 * that start together write the same id. Of two installations that mark one folder at the same moment the one that
 * wrote first sees the other's marker when it asks again, before it next cleans up.
 */
@Injectable()
export class Installation {
  private readonly log = new Logger('Installation');

  constructor(
    private readonly database: Database,
    private readonly files: ResumeFiles,
  ) {}

  /** @throws ForeignFilesError when they do not belong together; StorageUnavailableError when that cannot be told now */
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

  /** Whether it could be told that they belong together. @throws ForeignFilesError */
  async isConfirmed(): Promise<boolean> {
    try {
      await this.confirm();
      return true;
    } catch (error) {
      if (error instanceof ForeignFilesError) throw error;
      return false;
    }
  }
}

/** The id that the database was given when it was made. */
export async function installationId(database: Database): Promise<string> {
  const id = await propertyOf(database, 'installation');
  if (id === undefined) throw new Error('The database has lost its id.');
  return id;
}

/** Refuses to work with files that are marked as another installation's. Files that cannot be read now are not judged. */
export async function refuseForeignFiles(database: Database, files: ResumeFiles): Promise<void> {
  const marker = await files.readMarker().catch(() => undefined);
  if (marker !== undefined && marker !== (await installationId(database))) throw new ForeignFilesError();
}
