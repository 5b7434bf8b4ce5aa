import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import 'reflect-metadata';
import { makeCertificate } from '../../../e2e/support/certificate.ts';
import { casesOf, startNextHop } from './cases.ts';
import { findExim } from './exim.ts';
import { findPostfix } from './postfix.ts';
import { RealMailServer } from './real-mail-server.ts';
import { trySpamAssassin } from './spam-assassin.ts';

/**
 * `npm run test:mail-servers`: the mailer against private instances of Postfix and Exim, and SpamAssassin's opinion of
 * every mail. What is not installed is skipped by name. Needs root, as mail servers do.
 */
const folder = mkdtempSync(join(tmpdir(), 'kitewright-mail-servers-'));
// The servers' own users look into it.
chmodSync(folder, 0o755);
const certificate = makeCertificate(folder);
let failures = 0;
let passes = 0;

const say = (line: string) => void process.stdout.write(`${line}\n`);

async function check(sentence: string, step: () => Promise<void>): Promise<void> {
  try {
    await step();
    passes++;
    say(`  ok    ${sentence}`);
  } catch (error) {
    failures++;
    say(`  FAILS ${sentence}\n${error instanceof Error ? error.stack : String(error)}`);
  }
}

const servers = { Postfix: { find: findPostfix, hasLogin: false }, Exim: { find: findExim, hasLogin: true } };
for (const [name, { find, hasLogin }] of Object.entries(servers)) {
  const command = process.getuid?.() === 0 ? find(join(folder, name)) : 'it needs root';
  if (typeof command === 'string') {
    say(`SKIPPED: ${name}, because ${command}`);
    continue;
  }
  for (const hasSmtpUtf8 of [true, false]) {
    say(`${name} ${hasSmtpUtf8 ? 'with' : 'without'} SMTPUTF8`);
    const nextHop = await startNextHop();
    const server = await RealMailServer.start(command, { nextHopPort: nextHop.server.port, certificate, hasSmtpUtf8 });
    const cases = casesOf({ server, nextHop, caFile: certificate.certificate, hasSmtpUtf8, hasLogin });
    for (const [sentence, step] of Object.entries(cases)) await check(sentence, step);
    await server.stop();
    await nextHop.server.stop();
  }
}
await trySpamAssassin(check, say);
rmSync(folder, { recursive: true });
say(`${passes} checks passed, ${failures} failed.`);
process.exitCode = failures === 0 ? 0 : 1;
