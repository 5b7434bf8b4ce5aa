import { describe, expect, it } from '@jest/globals';
import { application as applicationForm } from '../contract/forms/application.ts';
import { contact } from '../contract/forms/contact.ts';
import { SpamFilter, type FilterInput } from './spam-filter.service.ts';
import type { SpamReason } from '../submissions/submission.ts';

const PERSON = { client: 'a-client', filledHoneypot: false };

const enquiry = (message: string, sender: FilterInput['sender'] = PERSON): FilterInput => ({
  form: 'contact',
  fields: { ...contact.empty, message },
  sender,
});

interface World {
  readonly isFromSeveral?: boolean;
  readonly ofToken?: SpamReason;
}

/** Creates a filter with stubs. `counted` are the names that it counts. */
function filterIn({ isFromSeveral = false, ofToken }: World = {}) {
  const counted: string[] = [];
  const recent = { add: async (name: string) => (counted.push(name), isFromSeveral ? 4 : 1) };
  const tokens = { reasonOf: async () => ofToken };
  return { filter: new SpamFilter(tokens as never, recent as never), counted };
}

const MARKUP = 'See <script src=x>';

describe('SpamFilter', () => {
  it('accepts a submission without signals and does not count it', async () => {
    const { filter, counted } = filterIn({ isFromSeveral: true });
    expect(await filter.reasonsFor(enquiry('Hello', { client: 'unknown', filledHoneypot: false }))).toEqual([]);
    expect(counted).toEqual([]);
  });

  it('quarantines for the honeypot and names all other signals', async () => {
    const { filter } = filterIn();
    const bot = { ...PERSON, filledHoneypot: true };
    expect(await filter.reasonsFor(enquiry('Hello', bot))).toEqual(['honeypot filled']);
    expect(await filter.reasonsFor(enquiry('https://a.example', bot))).toEqual(['honeypot filled', 'links']);
  });

  it('quarantines an advertisement > several clients sent it', async () => {
    const text = 'Cheap! https://a.example';
    expect(await filterIn().filter.reasonsFor(enquiry(text))).toEqual([]);
    expect(await filterIn({ isFromSeveral: true }).filter.reasonsFor(enquiry(text))).toEqual([
      'links',
      'same text from several senders',
    ]);
  });

  it('compares the cover letters of applications', async () => {
    const { filter, counted } = filterIn();
    const application = (coverLetter: string): FilterInput => ({
      form: 'application',
      fields: { ...applicationForm.empty, coverLetter },
      sender: PERSON,
    });
    await filter.reasonsFor(application('www.portfolio.example'));
    await filter.reasonsFor(application(' WWW.portfolio.example '));
    expect(counted).toEqual([expect.stringMatching(/^senders:/), counted[0]]);
  });

  it.each(['', ' \n'])('compares nothing > the optional message %j is empty', async (coverLetter) => {
    const { filter, counted } = filterIn({ ofToken: 'sent within seconds', isFromSeveral: true });
    const fields = { ...applicationForm.empty, coverLetter };
    const sender = { ...PERSON, formToken: 'token' };
    expect(await filter.reasonsFor({ form: 'application', fields, sender })).toEqual([]);
    expect(counted).toEqual([]);
  });
});

describe('SpamFilter > form tokens', () => {
  const withToken = (message: string) => enquiry(message, { ...PERSON, formToken: 'token' });

  it.each(['sent within seconds', 'form token not ours', 'form token of long ago'] as const)(
    'accepts a submission > "%s" is the only signal',
    async (ofToken) => {
      expect(await filterIn({ ofToken }).filter.reasonsFor(withToken('Hello'))).toEqual([]);
    },
  );

  it('quarantines a submission sent within seconds > another signal, or a repeated text', async () => {
    const ofToken = 'sent within seconds';
    expect(await filterIn({ ofToken }).filter.reasonsFor(withToken(MARKUP))).toEqual(['markup of a web page', ofToken]);
    expect(await filterIn({ ofToken, isFromSeveral: true }).filter.reasonsFor(withToken('Hello'))).toEqual([
      ofToken,
      'same text from several senders',
    ]);
  });
});
