import { readFileSync } from 'node:fs';

/** Licences allowed in the service, the site and the images: they only require that their text is kept. */
const PERMISSIVE = new Set(
  '0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause CC0-1.0 ISC MIT MIT-0 Python-2.0 Zlib'.split(' '),
);

/** Licences also allowed for build and test tools, which are not distributed. */
const TOOLS_ONLY = new Set(['CC-BY-4.0', 'LGPL-3.0-or-later', 'MPL-2.0', 'OFL-1.1']);

/** Packages that state their licence in a file instead of their manifest. */
const STATED_ELSEWHERE: Readonly<Record<string, string>> = {
  busboy: 'MIT',
  streamsearch: 'MIT',
};

interface LockedPackage {
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** Returns the packages of the lock file whose licence is not allowed, as `name: licence`. */
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

/** Evaluates an SPDX expression without nested brackets: any operand of OR, all operands of AND. */
function isAllowed(expression: string, isTool: boolean): boolean {
  const plain = expression.replace(/[()]/g, '');
  return plain
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => PERMISSIVE.has(one) || (isTool && TOOLS_ONLY.has(one))));
}
