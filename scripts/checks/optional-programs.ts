import { findProgram, installPackages } from '../stack/programs.ts';
import { StartError } from '../stack/start-error.ts';

/** Programs that only some checks need, by what they test, and the distribution's packages that have them. */
const PACKAGES = {
  'The virus scan': { clamd: 'clamav-daemon' },
  'The monitoring': { promtool: 'prometheus' },
  Kubernetes: { kubectl: 'kubernetes-client' },
  Firefox: { 'firefox-esr': 'firefox-esr' },
  WebKit: { WebKitWebDriver: 'webkit2gtk-driver', Xvfb: 'xvfb' },
  // A monitor and a store of objects, and the gateway that makes them speak S3: the parts of a Ceph cluster.
  'Object storage': { radosgw: 'radosgw', 'ceph-mon': 'ceph-mon', 'ceph-osd': 'ceph-osd' },
  PostgreSQL: { pg_ctlcluster: 'postgresql' },
  // eatmydata makes every fsync do nothing.
  'Whether a power cut would be noticed': { eatmydata: 'eatmydata' },
} as const;

export type Subject = keyof typeof PACKAGES;

/** Installs what is missing; where that is impossible false, after one line that says what will not be tested, and why. */
export function offer(subject: Subject): boolean {
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
