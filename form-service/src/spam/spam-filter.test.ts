import { describe, expect, it } from '@jest/globals';
import { emptyApplication } from '../../contract/application.ts';
import { emptyContact } from '../../contract/contact.ts';
import { Screening, type Screened } from './screening.ts';
import type { Suspicion } from './signals.ts';

const PERSON = { address: '192.0.2.1', filledHoneypot: false };
const submissionId = 'KW-0000-0000-0000-0000';

const enquiry = (message: string, sender: Screened['sender'] = PERSON): Screened => ({ form: 'contact', fields: { ...emptyContact, message }, sender, submissionId });

interface World {
  readonly isFromSeveral?: boolean;
  readonly ofToken?: Suspicion;
  readonly isUsedOften?: boolean;
  readonly isAskedFor?: boolean;
  readonly isSolved?: boolean;
}

/** Notes what was counted or computed, and answers as told. */
function screeningIn({ isFromSeveral = false, ofToken, isUsedOften = false, isAskedFor = false, isSolved = false }: World = {}) {
  const asked: string[] = [];
  const repeats = { isFromSeveral: async (text: string) => asked.push(text) > 0 && isFromSeveral };
  const tokens = { suspicionOf: async () => ofToken, isUsedOften: async (token: string) => asked.push(token) > 0 && isUsedOften };
  const proofs = { isAskedFor, isSolved: async (proof: string | undefined) => asked.push(String(proof)) > 0 && isSolved };
  return { screening: new Screening(repeats, tokens, proofs), asked };
}

const MARKUP = 'See <script src=x>';

describe('Screening', () => {
  it('lets pass, and does not count, what shows nothing, whatever is not known of its sender', async () => {
    const { screening, asked } = screeningIn({ isFromSeveral: true, isUsedOften: true, isAskedFor: true });
    expect(await screening.suspicionsOf(enquiry('Hello', { address: undefined, filledHoneypot: false }))).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('sets aside for the honeypot alone, and names what else it saw', async () => {
    const { screening } = screeningIn();
    const bot = { ...PERSON, filledHoneypot: true };
    expect(await screening.suspicionsOf(enquiry('Hello', bot))).toEqual(['honeypot filled']);
    expect(await screening.suspicionsOf(enquiry('https://a.example', bot))).toEqual(['honeypot filled', 'links']);
  });

  it('sets aside an advertisement that several clients sent, and not one that a client sent', async () => {
    const text = 'Cheap! https://a.example';
    expect(await screeningIn().screening.suspicionsOf(enquiry(text))).toEqual([]);
    expect(await screeningIn({ isFromSeveral: true }).screening.suspicionsOf(enquiry(text))).toEqual(['links', 'same text from several senders']);
  });

  it('compares the cover letter of an application', async () => {
    const { screening, asked } = screeningIn();
    await screening.suspicionsOf({ form: 'application', fields: { ...emptyApplication, coverLetter: 'www.portfolio.example' }, sender: PERSON, submissionId });
    expect(asked).toEqual(['www.portfolio.example']);
  });
});

describe('a form token', () => {
  const withToken = (message: string) => enquiry(message, { ...PERSON, formToken: 'token' });

  it.each(['sent within seconds', 'form token not ours', 'form token of long ago'] as const)('that says "%s" sets nothing aside alone', async (ofToken) => {
    expect(await screeningIn({ ofToken }).screening.suspicionsOf(withToken('Hello'))).toEqual([]);
  });

  it('that was signed a second ago sets aside what else is suspicious, and what is repeated', async () => {
    const ofToken = 'sent within seconds';
    expect(await screeningIn({ ofToken }).screening.suspicionsOf(withToken(MARKUP))).toEqual(['markup of a web page', ofToken]);
    expect(await screeningIn({ ofToken, isFromSeveral: true }).screening.suspicionsOf(withToken('Hello'))).toEqual([ofToken, 'same text from several senders']);
  });

  it('that many submissions came with sets aside what else is suspicious; its uses are counted only there', async () => {
    const used = screeningIn({ isUsedOften: true });
    expect(await used.screening.suspicionsOf(withToken('Hello'))).toEqual([]);
    expect(used.asked).toEqual([]);
    expect(await used.screening.suspicionsOf(withToken(MARKUP))).toEqual(['markup of a web page', 'form token used often']);
  });

  it('that is missing counts for nothing', async () => {
    expect(await screeningIn({ isUsedOften: true }).screening.suspicionsOf(enquiry(MARKUP))).toEqual([]);
  });
});

describe('a proof of work', () => {
  it('counts only where one is asked for', async () => {
    const { screening, asked } = screeningIn();
    expect(await screening.suspicionsOf(enquiry(MARKUP))).toEqual([]);
    expect(asked).toEqual([MARKUP]);
  });

  it('that is missing or wrong sets aside what else is suspicious, and nothing alone', async () => {
    const { screening } = screeningIn({ isAskedFor: true });
    expect(await screening.suspicionsOf(enquiry('Hello'))).toEqual([]);
    expect(await screening.suspicionsOf(enquiry(MARKUP))).toEqual(['markup of a web page', 'no proof of work']);
  });

  it('lets pass what a person may write', async () => {
    expect(await screeningIn({ isAskedFor: true, isSolved: true }).screening.suspicionsOf(enquiry(MARKUP))).toEqual([]);
  });
});
