import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Path of the folder with the content of the site, from the repository, which tests of another content set. */
export const CONTENT_NAME = process.env.CONTENT || 'frontend/content';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

/** Folder with the content of the site, which writers edit. The image has parts of it as of its build. */
export const CONTENT_FOLDER = pathToFileURL(`${resolve(REPOSITORY, CONTENT_NAME)}/`);
