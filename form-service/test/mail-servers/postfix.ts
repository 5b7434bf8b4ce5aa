import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../../scripts/stack/programs.ts';
import { DOMAIN, FULL_INBOX, MESSAGE_MAX_BYTES, type MailServerOptions } from './real-mail-server.ts';

/** A relay for one domain with strict checks of names, like that of a company or provider. */
const mainCf = ({ folder, nextHopPort, certificate }: MailServerOptions) => `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.${DOMAIN}
mydestination =
mynetworks = 192.0.2.0/24
relay_domains = ${DOMAIN}
relayhost = [127.0.0.1]:${nextHopPort}
smtp_tls_security_level = none
smtpd_tls_security_level = may
smtpd_tls_chain_files = ${certificate.key}, ${certificate.certificate}
smtputf8_enable = no
message_size_limit = ${MESSAGE_MAX_BYTES}
smtpd_delay_reject = no
smtpd_helo_required = yes
smtpd_helo_restrictions = check_helo_access regexp:${folder}/helo,
  reject_invalid_helo_hostname, reject_non_fqdn_helo_hostname
smtpd_relay_restrictions = reject_unauth_destination
smtpd_recipient_restrictions = check_recipient_access inline:{ { ${FULL_INBOX} = 552 5.2.2 mailbox full } }
`;

/** Rejects address literals with the reply of Google Workspace's relay. */
const HELO = '/^\\[/ 421 4.7.0 Try again later, closing connection. (EHLO)\n';

/** The usual services without chroot. */
const masterCf = (port: number) => `
127.0.0.1:${port} inet n - n - - smtpd
postlog unix-dgram n - n - 1 postlogd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
`;

/** Finds Postfix. @returns the command, or why there is none */
export function findPostfix(): ((options: MailServerOptions) => readonly string[]) | string {
  const postfix = findProgram('postfix');
  if (postfix === undefined) return 'it is not installed (Debian: apt-get install postfix)';
  return (options) => {
    const configuration = join(options.folder, 'configuration');
    for (const name of ['configuration', 'queue']) mkdirSync(join(options.folder, name));
    writeFileSync(join(configuration, 'main.cf'), mainCf(options));
    writeFileSync(join(configuration, 'master.cf'), masterCf(options.port));
    writeFileSync(join(options.folder, 'helo'), HELO);
    // Creates the queue folders. `postfix start` would detach the master, so it is started directly.
    execFileSync(postfix, ['-c', configuration, 'check'], { stdio: 'ignore' });
    const master = execFileSync('postconf', ['-c', configuration, '-hx', 'daemon_directory'], {
      encoding: 'utf8',
    }).trim();
    return [join(master, 'master'), '-d', '-c', configuration];
  };
}
