import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { SpamReason } from '../submissions/submission.ts';
import { FormTokenService } from './form-token.service.ts';
import { contentReasons, SpamFilter } from './spam-filter.service.ts';

const links = (count: number) => Array.from({ length: count }, (_, index) => `https://site${index}.example/`).join(' ');

const reasonsOf = (fields: Readonly<Record<string, string>>) => contentReasons({ form: 'contact', fields });

describe('spam signals > contentReasons', () => {
  it.each<[string, Record<string, string>, SpamReason[]]>([
    ['an ordinary enquiry', { name: 'Ada', message: 'We need a website, 5 < 6 & all that.' }, []],
    [
      'a text about the web',
      { message: 'Our script onboards users; www is down; use javascript, http and iframes' },
      [],
    ],
    ['a few links', { message: links(3) }, []],
    ['many links', { message: links(4) }, ['many links']],
    [
      'links over several fields',
      { name: 'Ada', message: links(2), position: 'www.a.example HTTP://b.example' },
      ['many links'],
    ],
    ['a link for a name', { name: 'Win at https://a.example' }, ['link in a name or phone number']],
    ['a subject', { message: 'Our casino needs a bonus programme for 100 guests' }, []],
    ['a script', { message: 'see < / SCRIPT >' }, ['markup of a web page']],
    ['a forum link', { message: '[URL=x]y[/URL]' }, ['markup of a web page']],
    ['a link that runs a script', { message: 'see javascript:alert(1)' }, ['markup of a web page']],
    ['a handler', { message: '"onerror =alert(1)' }, ['markup of a web page']],
  ])('finds the expected reasons in %s', (_what, fields, expected) => {
    expect(reasonsOf(fields)).toEqual(expected);
  });

  it.each(['<', '< ', '</', 'onerror ', 'http', 'www.', '<a', '[url'])(
    'takes linear time > 10,000 characters of %j',
    (piece) => {
      const text = piece.repeat(10_000 / piece.length);
      const startedAt = process.cpuUsage();
      reasonsOf({ message: text });
      // A quadratic pattern takes minutes for this; the limit is generous to a busy machine.
      expect(process.cpuUsage(startedAt).user).toBeLessThan(2_000_000);
    },
  );
});

describe('SpamFilter', () => {
  const reasonsFor = (
    message: string,
    { ofToken, filledHoneypot = false }: { ofToken?: SpamReason; filledHoneypot?: boolean },
  ) =>
    new SpamFilter({ reasonOf: async () => ofToken } as never).reasonsFor(
      { form: 'contact', fields: { message } },
      { client: 'a-client', filledHoneypot, formToken: 'token' },
    );

  it.each<[string, { ofToken?: SpamReason; filledHoneypot?: boolean }, SpamReason[]]>([
    ['Hello', {}, []],
    ['Hello', { filledHoneypot: true }, ['honeypot filled']],
    ['<script src=x>', { filledHoneypot: true }, ['honeypot filled', 'markup of a web page']],
    ['Hello', { ofToken: 'sent within seconds' }, []],
    ['Hello', { ofToken: 'form token not ours' }, []],
    ['<script src=x>', { ofToken: 'sent within seconds' }, ['markup of a web page', 'sent within seconds']],
    [`<script src=x> ${links(3)}`, {}, []],
    [`<a href=x> ${links(4)}`, {}, ['many links', 'markup of a web page']],
  ])('quarantines for the honeypot, or for two signals > %s %j', async (message, signals, expected) => {
    expect(await reasonsFor(message, signals)).toEqual(expected);
  });
});

describe('texts that no signal was tuned on, without a form token', () => {
  // Texts of such senders, in three languages. The first word of a spam text says what becomes of it.
  const SPAM = [
    'held: Hello dear, 200 FREE spins wait for you! https://royal-spin.example https://lucky-reels.example/join https://jackpot-city.example/?aff=771 https://win.example/uk',
    'delivered: I had a look at your website and can bring it to the first page of Google. May I send you a quote? See https://rank-higher.example',
    'delivered: Guten Tag, wir verkaufen Adressen von 40.000 Entscheidern in Ihrer Branche. Antworten Sie für eine Liste mit Preisen.',
    'delivered: Viagra ohne Rezept <a href="https://pille.example">hier</a>, <a href="https://pille.example/2">hier</a>, <a href="https://apo.example">hier</a>',
    'held: Gagnez 900 € par jour avec le bitcoin : https://btc-facile.example https://revenu.example/fr https://trader-pro.example https://t.example/gagner',
    'held: Montres de luxe [url=https://replica.example]ici[/url] [url=https://replica.example/omega]ici[/url] [url=https://montre.example]ici[/url] [url=https://luxe.example]ici[/url]',
  ];
  const HONEST = [
    'We run a bakery and need a new website with online orders. The present one is https://old-bakery.example. What would it cost?',
    'Our shop loses payments: https://shop.example/checkout shows a blank page, and https://shop.example/cart is slow. Can you help this week?',
    'The console says <script src="/app.js"> was blocked. Do you offer an audit of such problems?',
    'Wir suchen einen Partner für SAP S/4HANA, etwa 200 Tage im Jahr 2027. Die Ausschreibung liegt unter https://stadtwerke.example/vergabe/17',
    'Drei Vorbilder, die uns gefallen: www.vorbild-eins.example, www.vorbild-zwei.example und www.vorbild-drei.example. Was kostet so etwas?',
    'Votre casino de démonstration sur mobile m’a plu : pouvez-vous faire un jeu pour notre fête de 300 personnes ?',
  ];
  type Secret = { secret(): Promise<string> };
  const reasonsFor = (message: string, formToken?: string) =>
    new SpamFilter(new FormTokenService({} as never)).reasonsFor(
      { form: 'contact', fields: { name: 'Ada', message } },
      { client: 'a-client', filledHoneypot: false, formToken },
    );

  beforeEach(() => {
    jest.spyOn(FormTokenService.prototype as unknown as Secret, 'secret').mockResolvedValue('a secret');
  });
  afterEach(() => void jest.restoreAllMocks());

  it.each(SPAM)('%s', async (text) => {
    const held = (await reasonsFor(text)).length > 0;
    expect(held ? 'held' : 'delivered').toBe(text.replace(/:.*/s, ''));
  });

  it.each(HONEST)('delivers > %s', async (text) => {
    expect(await reasonsFor(text)).toEqual([]);
  });

  it('delivers four links that come with our own token', async () => {
    const token = await new FormTokenService({} as never).issue(Date.now() - 60_000);
    expect(await reasonsFor(links(4), token)).toEqual([]);
    expect(await reasonsFor(links(4))).toEqual(['many links', 'form token not ours']);
  });
});
