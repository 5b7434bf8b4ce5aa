// node scripts/run.mjs MODULE [ARGUMENT ...]: runs a module of this repository in this process. Installs missing npm packages first.
// Uses the Node.js of .node-version from npm if this one cannot run TypeScript. Plain JavaScript without dependencies: a fresh clone
// has no others.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const OLDEST_NODE = '22.18';
const SHELL_CHECK_MS = 500;
const RECORD = 'node_modules/.package-lock.json';

function stop(/** @type {string} */ sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** Runs this command again with a Node.js from npm. Its child processes, npm included, use that Node.js too. */
function runWithNewerNode() {
  const version = readFileSync('.node-version', 'utf8').trim();
  // This npm package contains only Node.js. Not every machine has one of every version.
  const nodePackage = `node-${process.platform}-${process.arch}@${version}`;
  const asIs = `This is Node.js ${process.versions.node}, and ${OLDEST_NODE} or newer is required`;
  process.stderr.write(`${asIs}. npm downloads ${version} into its cache.\n`);
  const where = ['--', 'node', '-p', 'process.execPath'];
  const exec = ['exec', '--yes', '--prefer-offline', `--package=${nodePackage}`, ...where];
  const { stdout, stderr, status } = spawnSync('npm', exec, { encoding: 'utf8' });
  const node = stdout?.trim();
  if (status !== 0)
    stop(`${stderr ?? ''}npm could not download ${nodePackage} (see above). Install Node.js ${version}.`);
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit', env });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)));
}

/** Whether node_modules matches the lock file, according to npm's record of what it installed. */
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
    // The record is missing or incomplete.
    return false;
  }
}

function installPackages() {
  process.stderr.write('Installing npm packages ...\n');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) stop('npm could not install the packages (see above).');
}

/**
 * Ends this process after the shell in which npm runs it: npm passes a signal only to that shell. `exec` in package.json would
 * replace the shell, but cmd.exe does not know it.
 */
function endWithShell() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, SHELL_CHECK_MS);
  watch.unref();
}

/** Hides the experimental warnings of Node.js 22 about TypeScript and SQLite, in this process and in its children. */
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
  try {
    await import(pathToFileURL(module).href);
  } catch (error) {
    // A writer's mistake (ContentError in form-service/src/contract). A stack trace would hide the sentence.
    const { name, message } = /** @type {Error} */ (error);
    if (name !== 'ContentError') throw error;
    stop(message);
  }
}

if (process.platform === 'win32') stop('Windows is not supported. Run this in WSL, or use: docker compose up --build');
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
endWithShell();
// Feature detection instead of a version: Node.js 23 got this feature later than 22.
if (process.features.typescript) await runModule();
else runWithNewerNode();
