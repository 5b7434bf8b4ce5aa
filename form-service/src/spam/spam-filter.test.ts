import { describe, expect, it } from '@jest/globals';
import { emptyApplication } from '../contract/application.ts';
import { emptyContact } from '../contract/contact.ts';
import { SpamFilter, type Candidate } from './spam-filter.service.ts';
import type { SpamReason } from './signals.ts';

const PERSON = { address: '192.0.2.1', filledHoneypot: false };
const submissionId = 'KW-0000-0000-0000-0000';

const enquiry = (message: string, sender: Candidate['sender'] = PERSON): Candidate => ({
  form: 'contact',
  fields: { ...emptyContact, message },
  sender,
  submissionId,
});

interface World {
  readonly isFromSeveral?: boolean;
  readonly ofToken?: SpamReason;
  readonly isUsedOften?: boolean;
}

/** Notes what was counted, and answers as told. */
function filterIn({ isFromSeveral = false, ofToken, isUsedOften = false }: World = {}) {
  const counted: string[] = [];
  const recent = { add: async (name: string) => (counted.push(name), isFromSeveral ? 4 : 1) };
  const tokens = {
    reasonOf: async () => ofToken,
    isUsedOften: async (token: string) => counted.push(token) > 0 && isUsedOften,
  };
  return { filter: new SpamFilter(tokens as never, recent as never), counted };
}

const MARKUP = 'See <script src=x>';

describe('The spam filter', () => {
  it('lets pass, and does not count, what shows nothing, whatever is not known of its sender', async () => {
    const { filter, counted } = filterIn({ isFromSeveral: true, isUsedOften: true });
    expect(await filter.reasonsFor(enquiry('Hello', { address: undefined, filledHoneypot: false }))).toEqual([]);
    expect(counted).toEqual([]);
  });

  it('quarantines for the honeypot alone, and names what else it saw', async () => {
    const { filter } = filterIn();
    const bot = { ...PERSON, filledHoneypot: true };
    expect(await filter.reasonsFor(enquiry('Hello', bot))).toEqual(['honeypot filled']);
    expect(await filter.reasonsFor(enquiry('https://a.example', bot))).toEqual(['honeypot filled', 'links']);
  });

  it('quarantines an advertisement that several clients sent, and not one that a client sent', async () => {
    const text = 'Cheap! https://a.example';
    expect(await filterIn().filter.reasonsFor(enquiry(text))).toEqual([]);
    expect(await filterIn({ isFromSeveral: true }).filter.reasonsFor(enquiry(text))).toEqual([
      'links',
      'same text from several senders',
    ]);
  });

  it('compares the cover letter of an application', async () => {
    const { filter, counted } = filterIn();
    const application = (coverLetter: string): Candidate => ({
      form: 'application',
      fields: { ...emptyApplication, coverLetter },
      sender: PERSON,
      submissionId,
    });
    await filter.reasonsFor(application('www.portfolio.example'));
    await filter.reasonsFor(application(' WWW.portfolio.example '));
    expect(counted).toEqual([expect.stringMatching(/^senders:/), counted[0]]);
  });
});

describe('a form token', () => {
  const withToken = (message: string) => enquiry(message, { ...PERSON, formToken: 'token' });

  it.each(['sent within seconds', 'form token not ours', 'form token of long ago'] as const)(
    'that says "%s" quarantines nothing alone',
    async (ofToken) => {
      expect(await filterIn({ ofToken }).filter.reasonsFor(withToken('Hello'))).toEqual([]);
    },
  );

  it('that was signed a second ago quarantines what else is suspicious, and what is repeated', async () => {
    const ofToken = 'sent within seconds';
    expect(await filterIn({ ofToken }).filter.reasonsFor(withToken(MARKUP))).toEqual(['markup of a web page', ofToken]);
    expect(await filterIn({ ofToken, isFromSeveral: true }).filter.reasonsFor(withToken('Hello'))).toEqual([
      ofToken,
      'same text from several senders',
    ]);
  });

  it('that many submissions came with quarantines what else is suspicious; its uses are counted only there', async () => {
    const used = filterIn({ isUsedOften: true });
    expect(await used.filter.reasonsFor(withToken('Hello'))).toEqual([]);
    expect(used.counted).toEqual([]);
    expect(await used.filter.reasonsFor(withToken(MARKUP))).toEqual(['markup of a web page', 'form token used often']);
  });

  it('that is missing counts for nothing', async () => {
    expect(await filterIn({ isUsedOften: true }).filter.reasonsFor(enquiry(MARKUP))).toEqual([]);
  });
});
