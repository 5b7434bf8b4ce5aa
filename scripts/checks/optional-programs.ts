import { findProgram, installPackages } from '../stack/programs.ts';
import { StartError } from '../stack/start-error.ts';

/** Programs that only some checks need, and the distribution's packages that have them. */
type Packages = Readonly<Record<string, string>>;

const VIRUS_SCANNER: Packages = { clamd: 'clamav-daemon' };
const PROMETHEUS: Packages = { promtool: 'prometheus', prometheus: 'prometheus' };
const FIREFOX: Packages = { 'firefox-esr': 'firefox-esr' };
const WEBKIT: Packages = { WebKitWebDriver: 'webkit2gtk-driver', Xvfb: 'xvfb' };
/** A monitor and a store of objects, and the gateway that makes them speak S3: the parts of a Ceph cluster. */
const OBJECT_GATEWAY: Packages = { radosgw: 'radosgw', 'ceph-mon': 'ceph-mon', 'ceph-osd': 'ceph-osd' };

const POSTGRES: Packages = { pg_ctlcluster: 'postgresql' };
/** Makes every fsync do nothing. */
const EATMYDATA: Packages = { eatmydata: 'eatmydata' };

export const offerVirusScanner = () => offer(VIRUS_SCANNER, 'The virus scan');
export const offerPrometheus = () => offer(PROMETHEUS, 'The monitoring');
export const offerFirefox = () => offer(FIREFOX, 'Firefox');
export const offerWebKit = () => offer(WEBKIT, 'WebKit');
export const offerObjectGateway = () => offer(OBJECT_GATEWAY, 'Object storage');
export const offerPostgres = () => offer(POSTGRES, 'PostgreSQL');
export const offerEatmydata = () => offer(EATMYDATA, 'Whether a power cut would be noticed');

/** Installs what is missing; where that is impossible false, after one line that says what will not be tested, and why. */
function offer(packages: Packages, subject: string): boolean {
  const missing = Object.entries(packages).flatMap(([program, name]) =>
    findProgram(program) === undefined ? [name] : [],
  );
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
