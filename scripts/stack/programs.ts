import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { StartError } from './start-error.ts';

/** Programs of the stack that npm does not install. */
export interface Programs {
  readonly nginx: string;
  /** Folder of nginx's brotli module; empty without one, as with Homebrew's nginx. */
  readonly nginxModules: string;
  /** Undefined if an external Redis is used. */
  readonly redisServer: string | undefined;
}

const BROTLI_MODULE = 'ngx_http_brotli_static_module.so';
const BROTLI_PACKAGE = 'libnginx-mod-http-brotli-static';
const MODULE_FOLDERS = [
  '/usr/lib/nginx/modules',
  '/usr/lib64/nginx/modules',
  '/usr/share/nginx/modules',
  '/usr/local/libexec/nginx',
];
/** Folders of servers on Debian, which the PATH of an ordinary user does not contain. */
const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/sbin'];

/** Packages that the user has agreed to. */
const agreed = new Set<string>();

/** Finds the programs. Installs missing ones on Debian and Ubuntu. nginx does without its brotli module. */
export async function requirePrograms(needsRedis: boolean): Promise<Programs> {
  const missing = missingPackages(needsRedis);
  if (missing.length > 0) await installPackages(missing);
  const nginx = findProgram('nginx');
  const redisServer = needsRedis ? findProgram('redis-server') : undefined;
  if (nginx === undefined || (needsRedis && redisServer === undefined))
    throw new StartError(manualInstallation(missingPackages(needsRedis)));
  return { nginx, nginxModules: findModules() ?? '', redisServer };
}

/**
 * Asks the user at a terminal whether packages may be installed. Without a terminal, CI and root agree: that is a container.
 * Throws a {@link StartError} that says what to run instead.
 */
export async function askToInstall(packages: readonly string[]): Promise<void> {
  if (packages.every((name) => agreed.has(name))) return;
  if (findProgram('apt-get') === undefined) throw new StartError(manualInstallation(packages));
  const mayInstall =
    process.stdin.isTTY && !process.env.CI
      ? await confirm(`Install ${packages.join(', ')} with apt? [Y/n] `)
      : Boolean(process.env.CI) || process.getuid?.() === 0;
  if (!mayInstall) throw new StartError(manualInstallation(packages));
  for (const name of packages) agreed.add(name);
}

/** Reads one line. The terminal keeps its mode, so that Ctrl-C ends the command. */
async function confirm(question: string): Promise<boolean> {
  process.stdout.write(question);
  const lines = createInterface({ input: process.stdin });
  const answer = await new Promise<string>((resolve) => lines.once('line', resolve).once('close', () => resolve('n')));
  lines.close();
  return !/^\s*n/i.test(answer);
}

function manualInstallation(packages: readonly string[]): string {
  const again = 'then run this command again.';
  if (process.platform === 'darwin') return `Run "brew install nginx redis coreutils", ${again}`;
  return findProgram('apt-get') === undefined
    ? `Install ${packages.join(', ')} with the package manager of your system, ${again}`
    : `Run "sudo apt-get install ${packages.join(' ')}", ${again}`;
}

/**
 * Installs Debian packages, and those of `optional` that the distribution has, if the user agrees. Throws a {@link StartError}
 * that says what to run instead.
 */
export async function installPackages(required: readonly string[], optional: readonly string[] = []): Promise<void> {
  await askToInstall([...required, ...optional]);
  const asRoot = await rootPrefix();
  if (asRoot === undefined) throw new StartError(manualInstallation([...required, ...optional]));
  // The lock timeout covers another start that installs packages at the same time.
  const apt = [...asRoot, ...'env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300'.split(' ')];
  // The index may be old, or there is none, as in a new container.
  await run([...apt, 'update']);
  const { stdout: known } = await execa('apt-cache', ['pkgnames'], { reject: false });
  const names = new Set(known.split('\n'));
  const packages = [...required, ...optional.filter((name) => names.has(name))];
  process.stdout.write(`Installing system packages: ${packages.join(' ')} ...\n`);
  const { failed, all } = await run([...apt, 'install', '-y', '--no-install-recommends', ...packages]);
  if (failed) throw new StartError(`${all}\napt-get could not install ${packages.join(' ')} (see above).`);
  // The packages start system services, which have their names. The stack runs its own servers, so these are disabled.
  if (existsSync('/run/systemd/system'))
    for (const name of packages) await run([...asRoot, 'systemctl', 'disable', '--now', name]);
}

export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...SERVER_FOLDERS];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** Returns the packages of nginx and, if needed, Redis that are not installed. With nginx comes its module, if it is missing. */
export function missingPackages(needsRedis: boolean): string[] {
  const nginx = findProgram('nginx') === undefined ? ['nginx', ...missingModules()] : [];
  return needsRedis && findProgram('redis-server') === undefined ? [...nginx, 'redis-server'] : nginx;
}

/** Returns the package of nginx's brotli module if it is not installed. */
export const missingModules = (): string[] => (findModules() === undefined ? [BROTLI_PACKAGE] : []);

function findModules(): string | undefined {
  return MODULE_FOLDERS.find((folder) => existsSync(join(folder, BROTLI_MODULE)));
}

/** Command prefix that runs a command as root without a password, or undefined. */
async function rootPrefix(): Promise<string[] | undefined> {
  if (process.getuid?.() === 0) return [];
  return (await run(['sudo', '-n', 'true'])).failed ? undefined : ['sudo', '-n'];
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
  return execa(command, args, { stdin: 'ignore', all: true, reject: false });
}
