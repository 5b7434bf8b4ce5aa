import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Version of this program, and the commit of its image if the build was given one (`COMMIT`). */
export const VERSION = process.env['COMMIT'] ? `${version} (${process.env['COMMIT']})` : version;
