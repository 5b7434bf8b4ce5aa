import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SERVICE_OPTIONS } from '../contract/contact.ts';
import { allRecipients, positionsOfSite, recipientOf, unknownRecipients } from './recipients.ts';
import { readSettings } from './settings.ts';

const settings = readSettings({
  SALES_INBOX: 'sales@firm.net',
  HR_INBOX: 'hr@firm.net',
  RECIPIENTS:
    'SAP Consulting & ABAP = sap@firm.net; android-developer=mobile@firm.net;\n web-development = web@firm.net ;',
});

const ofEnquiry = (service: string) => recipientOf({ form: 'contact', fields: { service } }, settings);
const ofApplication = (position: string) => recipientOf({ form: 'application', fields: { position } }, settings);

describe('Who gets a submission', () => {
  it('An enquiry goes to who is named for exactly its service, and any other to sales', () => {
    expect(ofEnquiry('SAP Consulting & ABAP')).toBe('sap@firm.net');
    for (const service of ['Staff Augmentation', 'Web Development', 'sap consulting & abap', ''])
      expect([service, ofEnquiry(service)]).toEqual([service, 'sales@firm.net']);
  });

  it.each([
    'android-developer',
    'Android Developer',
    '  ANDROID developer ',
    'Android-Developer!',
    'Ándroid/Developer',
  ])('An application goes to who is named for its position, however the visitor typed "%s"', (position) =>
    expect(ofApplication(position)).toBe('mobile@firm.net'),
  );

  it.each(['', 'Android', 'Senior Android Developer', 'SAP Consulting & ABAP', '---', 'constructor'])(
    'An application for "%s", which nobody is named for, goes to HR',
    (position) => expect(ofApplication(position)).toBe('hr@firm.net'),
  );

  it('Whatever a visitor types, it goes to an address of the settings', () => {
    const known = new Set(allRecipients(settings));
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => known.has(ofApplication(text))));
  });

  it('Without RECIPIENTS everything goes to the two inboxes', () => {
    const { SALES_INBOX, HR_INBOX, RECIPIENTS } = readSettings({});
    expect(RECIPIENTS).toBeUndefined();
    expect(allRecipients({ SALES_INBOX, HR_INBOX })).toEqual([SALES_INBOX, HR_INBOX]);
  });
});

describe('What RECIPIENTS may not be', () => {
  it.each(['sap@firm.net', 'SAP = ', '= sap@firm.net', 'SAP = a@b.net = c@d.net', 'SAP = a@b.net; SAP = c@d.net'])(
    '"%s"',
    (RECIPIENTS) => expect(() => readSettings({ RECIPIENTS })).toThrow('RECIPIENTS must be pairs of name = address'),
  );

  it.each(['SAP = nobody', 'SAP = Sales<a@b.net>', 'SAP = a@b.net,c@d.net'])(
    '"%s", since that is no address',
    (RECIPIENTS) => expect(() => readSettings({ RECIPIENTS })).toThrow('RECIPIENTS must name one e-mail address'),
  );
});

describe('Names in RECIPIENTS', () => {
  const named = (keys: readonly string[]) => ({
    SALES_INBOX: '',
    HR_INBOX: '',
    RECIPIENTS: new Map(keys.map((key) => [key, 'a@firm.net'])),
  });

  it('Every service and every position that exists is known', () => {
    const positions = positionsOfSite() ?? [];
    expect(positions.length).toBeGreaterThan(0);
    expect(unknownRecipients(named([...SERVICE_OPTIONS, ...positions]))).toEqual([]);
  });

  it('A service that is written otherwise, and a position that does not exist, are named', () => {
    const unknown = unknownRecipients(named(['SAP consulting', 'ios-developer']), ['android-developer']);
    expect(unknown).toEqual([expect.stringContaining('"SAP consulting"'), expect.stringContaining('"ios-developer"')]);
  });

  it('Where the content is not at hand, what may be a position is not judged', () => {
    expect(positionsOfSite(new URL('file:///nothing/here/'))).toBeNull();
    const undecided = unknownRecipients(named(['SAP consulting', 'ios-developer']), null);
    expect(undecided).toEqual([expect.stringContaining('"SAP consulting"')]);
  });
});
