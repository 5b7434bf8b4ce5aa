// node scripts/run.mjs MODULE [ARGUMENT ...]: runs a TypeScript module of this repository in this process, after the npm packages
// are installed where they are missing. In plain JavaScript with no dependency: a fresh clone has nothing else.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { withLock } from './lock.mjs';

const OLDEST_NODE = { major: 20, minor: 19 };
const RECORD = 'node_modules/.package-lock.json';

function stop(/** @type {string} */ sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Whether node_modules holds what the lock file asks for, by npm's own record of what it installed. */
function packagesAreInstalled() {
  try {
    const [wanted, installed] = ['package-lock.json', RECORD].map(
      (file) => JSON.parse(readFileSync(file, 'utf8')).packages,
    );
    return Object.entries(wanted).every(([path, { version, optional, link }]) => {
      if (!path.includes('node_modules/') || link) return true;
      return installed[path] === undefined ? optional === true : installed[path].version === version;
    });
  } catch {
    // There is no record, or a power cut has left half of one.
    return false;
  }
}

function installPackages() {
  if (packagesAreInstalled()) return;
  process.stdout.write('Installing npm packages ...\n');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) stop('npm could not install the packages (see above).');
  // npm's record must not outlive a power cut that the packages themselves do not.
  spawnSync('sync', ['--file-system', 'node_modules']);
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST_NODE.major || (major === OLDEST_NODE.major && minor < OLDEST_NODE.minor))
  stop(`Node.js ${OLDEST_NODE.major}.${OLDEST_NODE.minor} or newer is needed; this is ${process.versions.node}.`);
try {
  // Outside of node_modules, which npm empties first. A second start waits, and finds everything there.
  if (!packagesAreInstalled()) withLock('.data/install.lock', 'installs the npm packages', installPackages);
} catch (error) {
  stop(`The packages cannot be installed: ${error}`);
}
if (existsSync('.env')) process.loadEnvFile('.env');
const [module = ''] = process.argv.splice(2, 1);
const { register } = await import('tsx/esm/api');
register();
await import(pathToFileURL(module).href);
