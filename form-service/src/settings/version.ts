import { readFileSync } from 'node:fs';

const MANIFEST = new URL('../../package.json', import.meta.url);
const { name, version } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as Readonly<Record<'name' | 'version', string>>;

/** Version of this program, and the commit of its image if the build was given one (`COMMIT`). */
export const VERSION = process.env['COMMIT'] ? `${version} (${process.env['COMMIT']})` : version;

/** User-Agent of requests to other servers: the program and no company. Many firewalls refuse requests without one. */
export const USER_AGENT = `${name}/${version}`;
