import { findProgram, installPackages } from '../stack/programs.ts';
import { StartError } from '../stack/start-error.ts';

/** Programs that only some checks need and their Debian packages, by what they test. */
const PACKAGES = {
  'The virus scan': { clamd: 'clamav-daemon' },
  'The monitoring': { promtool: 'prometheus' },
  Kubernetes: { kubectl: 'kubernetes-client' },
  Firefox: { 'firefox-esr': 'firefox-esr' },
  WebKit: { WebKitWebDriver: 'webkit2gtk-driver', Xvfb: 'xvfb' },
  // A Ceph cluster: monitor, object store, and gateway for S3.
  'Object storage': { radosgw: 'radosgw', 'ceph-mon': 'ceph-mon', 'ceph-osd': 'ceph-osd' },
  PostgreSQL: { pg_ctlcluster: 'postgresql' },
  // eatmydata makes every fsync do nothing.
  'Detection of lost writes': { eatmydata: 'eatmydata' },
} as const;

export type Subject = keyof typeof PACKAGES;

/** Installs missing programs. If that fails, prints what will not be tested and why, and returns false. */
export function installOptional(subject: Subject): boolean {
  const packages = Object.entries(PACKAGES[subject]);
  const missing = packages.flatMap(([program, name]) => (findProgram(program) === undefined ? [name] : []));
  if (missing.length === 0) return true;
  try {
    installPackages([...new Set(missing)]);
    return true;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stdout.write(`${subject} will not be tested. ${error.message}\n`);
    return false;
  }
}
