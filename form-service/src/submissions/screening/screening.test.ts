import { describe, expect, it } from '@jest/globals';
import { emptyApplication } from '../../contract/application.ts';
import { emptyContact } from '../../contract/contact.ts';
import { Screening, type Screened } from './screening.ts';

const PERSON = { address: '192.0.2.1', filledHoneypot: false };

const enquiry = (message: string, sender: Screened['sender'] = PERSON): Screened => ({ form: 'contact', fields: { ...emptyContact, message }, sender });

/** Notes what was asked and answers as told. */
function screeningWith(isFromSeveral: boolean) {
  const asked: string[] = [];
  const repeats = { isFromSeveral: async (text: string) => asked.push(text) > 0 && isFromSeveral };
  return { screening: new Screening(repeats), asked };
}

describe('Screening', () => {
  it('lets pass, and does not count, what shows nothing, whatever is not known of its sender', async () => {
    const { screening, asked } = screeningWith(true);
    expect(await screening.suspicionsOf(enquiry('Hello', { address: undefined, filledHoneypot: false }))).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('sets aside for the honeypot alone, and names what else it saw', async () => {
    const { screening } = screeningWith(false);
    const bot = { ...PERSON, filledHoneypot: true };
    expect(await screening.suspicionsOf(enquiry('Hello', bot))).toEqual(['honeypot filled']);
    expect(await screening.suspicionsOf(enquiry('https://a.example', bot))).toEqual(['honeypot filled', 'links']);
  });

  it('sets aside an advertisement that several clients sent, and not one that a client sent', async () => {
    const text = 'Cheap! https://a.example';
    expect(await screeningWith(false).screening.suspicionsOf(enquiry(text))).toEqual([]);
    expect(await screeningWith(true).screening.suspicionsOf(enquiry(text))).toEqual(['links', 'same text from several senders']);
  });

  it('compares the cover letter of an application', async () => {
    const { screening, asked } = screeningWith(false);
    await screening.suspicionsOf({ form: 'application', fields: { ...emptyApplication, coverLetter: 'www.portfolio.example' }, sender: PERSON });
    expect(asked).toEqual(['www.portfolio.example']);
  });
});
