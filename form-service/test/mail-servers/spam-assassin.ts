import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import assert from 'node:assert/strict';
import { Mailer } from '../../src/delivery/mailer.service.ts';
import { verifyDkim } from '../dkim.ts';
import { MAIL_EXAMPLES, MAIL_SETTINGS } from '../mail-examples.ts';
import { keepRaw, MailServer } from '../mail-server.ts';
import { findProgram } from '../../../scripts/stack/programs.ts';

/** What every message with an HTML part has, and is scored next to nothing for. */
const TOLERATED = 'HTML_MESSAGE';

/** One line of SpamAssassin's report: points and the name of a rule. */
const HIT = /^\s*(-?\d+\.\d+) ([A-Z0-9_]+) /gm;

/** SpamAssassin with its own rules, asking nobody, gives no mail a point. */
export async function trySpamAssassin(
  check: (sentence: string, step: () => Promise<void>) => Promise<void>,
  say: (line: string) => void,
): Promise<void> {
  const program = findProgram('spamassassin');
  if (program === undefined)
    return say('SKIPPED: SpamAssassin, because it is not installed (Debian: apt-get install spamassassin)');
  say('SpamAssassin, local rules only');
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const dkim = {
    DKIM_DOMAIN: 'kitewright.example',
    DKIM_SELECTOR: 'mail',
    DKIM_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
  const messages: Buffer[] = [];
  const rules = new Map<string, number>();
  const server = await MailServer.start({ onData: keepRaw(messages) });
  const mailer = new Mailer({ ...MAIL_SETTINGS, ...dkim, SMTP_URL: server.url });
  for (const [name, mail] of Object.entries(MAIL_EXAMPLES)) {
    await check(`finds nothing wrong with ${name}, and its signature holds`, async () => {
      await mailer.send(mail);
      const message = messages.at(-1) ?? Buffer.alloc(0);
      assert.ok(verifyDkim(message.toString('latin1'), publicKey)?.headersHold);
      const { stdout } = spawnSync(program, ['--local', '--test-mode'], { input: message, encoding: 'utf8' });
      const hits = [...stdout.matchAll(HIT)].map(([, points, rule]) => [rule, Number(points)] as const);
      assert.ok(hits.length > 0, `SpamAssassin said nothing of its rules:\n${stdout.slice(-2_000)}`);
      for (const [rule, points] of hits) rules.set(String(rule), points);
      assert.deepEqual(
        hits.filter(([rule, points]) => points > 0 && rule !== TOLERATED),
        [],
      );
    });
  }
  say(`  Rules that any of them met: ${[...rules].map(([rule, points]) => `${rule} ${points}`).join(', ')}`);
  mailer.onApplicationShutdown();
  await server.stop();
}
