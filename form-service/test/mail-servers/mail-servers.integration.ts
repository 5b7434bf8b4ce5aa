import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeCertificate } from '../../../e2e/support/certificate.ts';
import { makeTemporaryFolder } from '../../../test-support/temporary-folder.ts';
import { findProgram } from '../../../scripts/stack/programs.ts';
import { Mailer } from '../../src/mail/mailer.service.ts';
import { verifyDkim } from '../dkim.ts';
import { MAIL_EXAMPLES, MAIL_SETTINGS } from '../mail-examples.ts';
import { keepRaw, MailServer } from '../mail-server.ts';
import { casesOf, startNextHop, type Running } from './cases.ts';
import { findPostfix } from './postfix.ts';
import { RealMailServer } from './real-mail-server.ts';
import { spamPoints } from './spam-assassin.ts';

/*
 * `npm test mail-servers`: the mailer against a private instance of Postfix, and every mail against SpamAssassin.
 * Programs that are not installed are skipped by name. Needs root, like mail servers.
 */
const folder = makeTemporaryFolder();
// The servers run as other users.
chmodSync(folder, 0o755);
const certificate = makeCertificate(folder);
afterAll(() => rmSync(folder, { recursive: true }));

const postfix = process.getuid?.() === 0 ? findPostfix() : 'it needs root';
if (typeof postfix === 'string')
  describe.skip(`Postfix, because ${postfix}`, () => it('is not tried', () => undefined));
else
  describe('Postfix', () => {
    let running: Running;
    beforeAll(async () => {
      const nextHop = await startNextHop();
      const options = { nextHopPort: nextHop.server.port, certificate };
      running = { nextHop, server: await RealMailServer.start(postfix, options), caFile: certificate.certificate };
    });
    afterAll(async () => {
      await running.server.stop();
      await running.nextHop.server.stop();
    });

    it.each(Object.entries(casesOf(() => running)))('%s', (_sentence, step) => step());
  });

const program = findProgram('spamassassin');
const describeIfInstalled = program === undefined ? describe.skip : describe;
describeIfInstalled('SpamAssassin (of the package spamassassin)', () => {
  /** Rule with almost no points that every message with an HTML part hits. */
  const TOLERATED = 'HTML_MESSAGE';
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const dkim = {
    DKIM_PRIVATE_KEY: {
      domainName: 'kitewright.example',
      keySelector: 'mail',
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
  };
  const messages: Buffer[] = [];
  let server: MailServer;
  let mailer: Mailer;
  beforeAll(async () => {
    server = await MailServer.start({ onData: keepRaw(messages) });
    mailer = new Mailer({ ...MAIL_SETTINGS, ...dkim, SMTP_URL: server.url });
  });
  afterAll(async () => {
    await server.stop();
  });

  it.each(Object.entries(MAIL_EXAMPLES))('finds no spam, and a valid signature > %s', async (_, mail) => {
    await mailer.send(mail);
    const message = messages.at(-1) ?? Buffer.alloc(0);
    expect(verifyDkim(message.toString('latin1'), publicKey)?.headersHold).toBe(true);
    const bad = [...spamPoints(program ?? '', message)].filter(([rule, points]) => points > 0 && rule !== TOLERATED);
    expect(bad).toEqual([]);
  });
});
