import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../../scripts/stack/programs.ts';
import { DOMAIN, FULL_INBOX, MESSAGE_MAX_BYTES, type MailServerOptions } from './real-mail-server.ts';

const USER = 'Debian-exim';

/** Unused user and group id, for an Exim that is unpacked and not installed. */
const SPARE_ID = 64_025;

const configuration = ({ folder, port, nextHopPort }: MailServerOptions, program: string) => `
exim_path = ${program}
spool_directory = ${folder}/spool
log_file_path = ${folder}/spool/%slog
pid_file_path = ${folder}/exim.pid
primary_hostname = mx.${DOMAIN}
local_interfaces = 127.0.0.1
daemon_smtp_ports = ${port}
disable_ipv6 = true
tls_advertise_hosts = *
tls_certificate = ${folder}/certificate.pem
tls_privatekey = ${folder}/key.pem
smtputf8_advertise_hosts = :
message_size_limit = ${MESSAGE_MAX_BYTES}
acl_smtp_helo = check_helo
acl_smtp_rcpt = check_recipient
begin acl
check_helo:
  defer
    condition = \${if match{$sender_helo_name}{^\\N\\[\\N}}
    message = 421 4.7.0 Try again later, closing connection. (EHLO)
  accept
check_recipient:
  deny
    recipients = ${FULL_INBOX}
    message = 552 5.2.2 mailbox full
  accept
    domains = ${DOMAIN}
  deny
    message = relay not permitted
begin routers
next_hop:
  driver = manualroute
  route_list = * 127.0.0.1::${nextHopPort}
  self = send
  transport = smtp
begin transports
smtp:
  driver = smtp
  allow_localhost = true
  hosts_avoid_tls = *
begin retry
* * F,1h,1s
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if eq{$auth3}{right}}
`;

/** Finds Exim, installed or unpacked: Debian cannot install it next to Postfix. @returns the command, or why not */
export function findExim(unpackIn: string): ((options: MailServerOptions) => readonly string[]) | string {
  const program = findProgram('exim4') ?? unpacked(unpackIn);
  if (program === undefined)
    return 'it is not installed and cannot be downloaded (Debian: apt-get download exim4-daemon-light)';
  const missing = /^.*not found$/m.exec(spawnSync('ldd', [program], { encoding: 'utf8' }).stdout)?.[0];
  if (missing) return `a library is missing:${missing} (Debian: apt-get install libidn12 libgnutls-dane0 libnsl2)`;
  return (options) => {
    const { folder, certificate } = options;
    const path = join(folder, 'exim.conf');
    const id = idOf(USER);
    mkdirSync(join(folder, 'spool'));
    writeFileSync(path, configuration(options, program));
    writeFileSync(join(folder, 'certificate.pem'), certificate.pem);
    writeFileSync(join(folder, 'key.pem'), readFileSync(certificate.key), { mode: 0o600 });
    for (const name of ['spool', 'key.pem', 'certificate.pem'])
      chownSync(join(folder, name), id ?? SPARE_ID, id ?? SPARE_ID);
    const command = [program, '-C', path, '-bdf', '-q1s'];
    return id === undefined ? withSpareUser(folder, command) : command;
  };
}

function unpacked(folder: string): string | undefined {
  mkdirSync(folder);
  const program = join(folder, 'usr/sbin/exim4');
  if (findProgram('apt-get') === undefined) return undefined;
  spawnSync('apt-get', ['download', '-qq', 'exim4-daemon-light'], { cwd: folder, stdio: 'ignore' });
  for (const name of readdirSync(folder)) execFileSync('dpkg-deb', ['-x', name, '.'], { cwd: folder });
  return existsSync(program) ? program : undefined;
}

function idOf(user: string): number | undefined {
  const { status, stdout } = spawnSync('id', ['-u', user], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
}

/** Runs Exim with its own user in /etc/passwd, in a private mount namespace. */
function withSpareUser(folder: string, command: readonly string[]): readonly string[] {
  const mounts = [
    ['passwd', `${USER}:x:${SPARE_ID}:${SPARE_ID}::/:/usr/sbin/nologin\n`],
    ['group', `${USER}:x:${SPARE_ID}:\n`],
  ].map(([name, line]) => {
    const path = join(folder, String(name));
    writeFileSync(path, `${readFileSync(`/etc/${name}`, 'utf8')}${line}`);
    return `mount --bind '${path}' /etc/${name}`;
  });
  return ['unshare', '--mount', 'sh', '-c', `${mounts.join(' && ')} && exec "$@"`, 'sh', ...command];
}
