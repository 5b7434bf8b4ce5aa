import { readFileSync } from 'node:fs';

/** What may be in the service, the site and the images: licences that only ask for their text to be kept. */
const PERMISSIVE = new Set(
  '0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause CC0-1.0 ISC MIT MIT-0 Python-2.0 Zlib'.split(' '),
);

/** What tools may have besides: used as they are while building and testing, and not passed on. */
const FOR_TOOLS = new Set(['CC-BY-4.0', 'LGPL-3.0-or-later', 'MPL-2.0', 'OFL-1.1']);

/** Packages whose manifest names no licence in the usual place; their licence files do. */
const STATED_ELSEWHERE: Readonly<Record<string, string>> = {
  busboy: 'MIT',
  streamsearch: 'MIT',
  'xmlhttprequest-ssl': 'MIT',
};

interface LockedPackage {
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** Packages of the lock file whose licence does not allow what we do with them, as `name: licence`. */
export function licenceProblems(lockFile: string): string[] {
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8')) as {
    packages: Readonly<Record<string, LockedPackage>>;
  };
  const problems = Object.entries(packages).flatMap(([path, { license, dev = false, link = false }]) => {
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
    if (name === undefined || link) return [];
    const licence = license ?? STATED_ELSEWHERE[name] ?? 'none stated';
    return isAllowed(licence, dev) ? [] : [`${name}: ${licence}`];
  });
  return [...new Set(problems)].sort();
}

/** An SPDX expression of one level: of alternatives one is enough, of what is joined all must do. */
function isAllowed(expression: string, isTool: boolean): boolean {
  const plain = expression.replace(/[()]/g, '');
  return plain
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => PERMISSIVE.has(one) || (isTool && FOR_TOOLS.has(one))));
}
