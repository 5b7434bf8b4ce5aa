// First step of every command, in plain JavaScript with no dependency: a fresh clone has nothing else.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const OLDEST_NODE = [20, 19];

function stop(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    stop(`Node.js ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}.`);
  }
}

/** Whether node_modules holds what the lock file asks for, by npm's own record of what it installed. */
function packagesAreInstalled() {
  const record = `${root}node_modules/.package-lock.json`;
  if (!existsSync(record)) return false;
  const wanted = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')).packages;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  return Object.entries(wanted).every(([path, { version, optional, link }]) => {
    if (!path.includes('node_modules/') || link) return true;
    return installed[path] === undefined ? optional === true : installed[path].version === version;
  });
}

function installPackages() {
  if (packagesAreInstalled()) return;
  process.stdout.write('Installing npm packages ...\n');
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (npm.status !== 0) stop('npm could not install the packages (see above).');
}

/** Installs the npm packages if needed, reads `.env`, then runs a TypeScript module in this process. */
export async function bootstrap(module) {
  checkNode();
  process.chdir(root);
  installPackages();
  if (existsSync('.env')) process.loadEnvFile('.env');
  const { register } = await import('tsx/esm/api');
  register();
  await import(new URL(module, import.meta.url).href);
}
