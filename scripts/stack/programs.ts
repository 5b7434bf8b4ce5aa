import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { execaSync } from 'execa';
import { StartError } from './start-error.ts';

/** The programs of the stack that do not come from npm. */
export interface Programs {
  readonly nginx: string;
  /** Folder of nginx's loadable modules. */
  readonly nginxModules: string;
  /** Absent where an outside Redis is used. */
  readonly redisServer: string | undefined;
}

const BROTLI_MODULE = 'ngx_http_brotli_static_module.so';
const MODULE_FOLDERS = [
  '/usr/lib/nginx/modules',
  '/usr/lib64/nginx/modules',
  '/usr/share/nginx/modules',
  '/usr/local/libexec/nginx',
];
/** Debian keeps servers where an ordinary user's PATH does not reach. */
const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/sbin'];

/** System services that come with a package. */
const SERVICES_OF: Readonly<Record<string, readonly string[]>> = {
  nginx: ['nginx'],
  'redis-server': ['redis-server'],
  'clamav-daemon': ['clamav-daemon', 'clamav-freshclam'],
  prometheus: ['prometheus'],
  postgresql: ['postgresql'],
};

/** Finds the programs, and installs the missing ones from Debian's or Ubuntu's packages where that is possible. */
export function requirePrograms(needsRedis: boolean): Programs {
  const missing = missingPackages(needsRedis);
  if (missing.length > 0) installPackages(missing);
  const nginx = findProgram('nginx');
  const nginxModules = findModules();
  const redisServer = needsRedis ? findProgram('redis-server') : undefined;
  if (nginx === undefined || nginxModules === undefined || (needsRedis && redisServer === undefined))
    throw new StartError(`Still missing after the installation: ${missingPackages(needsRedis).join(', ')}.`);
  return { nginx, nginxModules, redisServer };
}

/** Installs Debian packages, or throws a {@link StartError} that says what to install by hand. */
export function installPackages(packages: readonly string[]): void {
  const asRoot = rootPrefix();
  if (findProgram('apt-get') === undefined || asRoot === undefined) {
    throw new StartError(
      `Please install: ${packages.join(', ')} (with your system's package manager), then run this again.`,
    );
  }
  process.stdout.write(`Installing system packages: ${packages.join(' ')} ...\n`);
  // Another start may be installing them too.
  const apt = [...asRoot, ...'env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300'.split(' ')];
  // An index that cannot be refreshed may still do: the installation tells.
  run([...apt, 'update']);
  const { failed, all } = run([...apt, 'install', '-y', '--no-install-recommends', ...packages]);
  if (failed) throw new StartError(`${all}\napt-get could not install ${packages.join(' ')} (see above).`);
  // The packages start their servers for the whole machine; the stack runs its own, so those stay off.
  const services = packages.flatMap((name) => SERVICES_OF[name] ?? []);
  if (services.length > 0 && existsSync('/run/systemd/system'))
    run([...asRoot, 'systemctl', 'disable', '--now', ...services]);
}

/** Full path of a program, or undefined. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...SERVER_FOLDERS];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function missingPackages(needsRedis: boolean): string[] {
  const missing: string[] = [];
  if (findProgram('nginx') === undefined) missing.push('nginx');
  if (findModules() === undefined) missing.push('libnginx-mod-http-brotli-static');
  if (needsRedis && findProgram('redis-server') === undefined) missing.push('redis-server');
  return missing;
}

function findModules(): string | undefined {
  return MODULE_FOLDERS.find((folder) => existsSync(join(folder, BROTLI_MODULE)));
}

/** The words before a command that run it as root without asking, or undefined. */
function rootPrefix(): string[] | undefined {
  if (process.getuid?.() === 0) return [];
  return run(['sudo', '-n', 'true']).failed ? undefined : ['sudo', '-n'];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function run([command = '', ...args]: readonly string[]) {
  return execaSync(command, args, { stdin: 'ignore', all: true, reject: false });
}
