import { installPackages, findProgram, missingModules, missingPackages } from '../stack/programs.ts';
import { StartError } from '../stack/start-error.ts';

/** Programs of the tests, and their Debian packages. Tests skip themselves without those that are optional. */
const REQUIRED = { chromium: 'chromium', openssl: 'openssl', 'fc-list': 'fonts-liberation' };
const OPTIONAL = {
  'chromium-headless-shell': 'chromium-headless-shell',
  'firefox-esr': 'firefox-esr',
  WebKitWebDriver: 'webkit2gtk-driver',
  Xvfb: 'xvfb',
  pg_ctlcluster: 'postgresql',
  clamd: 'clamav-daemon',
  radosgw: 'radosgw',
  'ceph-mon': 'ceph-mon',
  'ceph-osd': 'ceph-osd',
  caddy: 'caddy',
  shellcheck: 'shellcheck',
  promtool: 'prometheus',
  kubectl: 'kubernetes-client',
};

/** Installs what is missing with one call of the package manager, so that `npm test` needs nothing else. */
export async function installForTests(): Promise<void> {
  const missing = (programs: Readonly<Record<string, string>>) =>
    Object.entries(programs).flatMap(([program, name]) => (findProgram(program) === undefined ? [name] : []));
  const required = [...new Set([...missingPackages(true), ...missingModules(), ...missing(REQUIRED)])];
  const optional = missing(OPTIONAL);
  if (required.length + optional.length === 0) return;
  try {
    await installPackages(required, optional);
  } catch (error) {
    if (required.length > 0 || !(error instanceof StartError)) throw error;
    process.stdout.write(`Some tests will skip themselves. ${error.message}\n`);
  }
}
