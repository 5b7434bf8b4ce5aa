import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeTemporaryFolder } from '../../../test-support/temporary-folder.ts';
import { OTHER_SERVICE, SERVICE, SERVICES } from '../../test/services.ts';
import { allRecipients, mailboxesOf, positionsOfSite, recipientOf, unknownRecipients } from './recipients.ts';
import { readSettings } from '../settings/settings.ts';

const settings = readSettings({
  SALES_INBOX: 'sales@firm.net',
  HR_INBOX: 'hr@firm.net',
  RECIPIENTS: `${SERVICE} = sap@firm.net; android-developer=mobile@firm.net;\n web-designer = web@firm.net ;`,
});

/** Forms whose mailbox has a setting of its own; that of others is an entry of `RECIPIENTS`. */
const WITH_SETTING = ['contact', 'application'];

const ofEnquiry = (service: string) => recipientOf({ form: 'contact', fields: { service } }, settings);
const ofApplication = (position: string) => recipientOf({ form: 'application', fields: { position } }, settings);

describe('recipientOf', () => {
  it('returns the mailbox of this service, or else sales', () => {
    expect(ofEnquiry(SERVICE)).toBe('sap@firm.net');
    for (const service of [OTHER_SERVICE, `Other ${SERVICE}`, 'web-designer', ''])
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

  it.each([
    ['Android Engineer (m/f/d)', 'android engineer (M/F/D)'],
    ['android-engineer-m-f-d', 'Android Engineer (m/f/d)'],
    ['Разработчик Android', 'разработчик  ANDROID'],
    ['Entwickler für SAP', 'Entwickler fur SAP'],
  ])('An application goes by the title of its job "%s" > when the visitor typed "%s"', (title, position) => {
    const named = readSettings({
      HR_INBOX: 'hr@firm.net',
      RECIPIENTS: `${SERVICE} = w@firm.net; ${title} = a@firm.net`,
    });
    const to = (typed: string) => recipientOf({ form: 'application', fields: { position: typed } }, named);
    expect([to(position), to(''), to('---'), to(SERVICE)]).toEqual(['a@firm.net', ...Array(3).fill('hr@firm.net')]);
  });

  it.each([
    ['sales@firm.net', 'sales@firm.net'],
    ['web@firm.net', 'web@firm.net'],
    ['left@firm.net', 'sap@firm.net'],
  ])('returns the mailbox that staff chose, unless it left the settings > %s', (recipient, expected) => {
    expect(recipientOf({ form: 'contact', fields: { service: SERVICE }, recipient }, settings)).toBe(expected);
  });

  it.each(['', 'Android', 'Senior Android Developer', SERVICE, '---', 'constructor'])(
    'returns HR > no mailbox for the position "%s"',
    (position) => expect(ofApplication(position)).toBe('hr@firm.net'),
  );

  it('mailboxesOf > returns the default and the entries of a form', () => {
    expect(mailboxesOf('contact', settings)).toEqual(['sales@firm.net', 'sap@firm.net']);
    expect(mailboxesOf('application', settings)).toEqual(['hr@firm.net', 'mobile@firm.net', 'web@firm.net']);
    const shared = { ...settings, HR_INBOX: 'sap@firm.net' };
    for (const form of WITH_SETTING) expect(mailboxesOf(form, shared)).toContain('sap@firm.net');
    expect(mailboxesOf('contact', { ...settings, RECIPIENTS: undefined })).toEqual(['sales@firm.net']);
  });

  it('allRecipients > returns each mailbox once', () => {
    const mailboxes = ['sales@firm.net', 'hr@firm.net', 'sap@firm.net', 'mobile@firm.net', 'web@firm.net'];
    expect(allRecipients(settings)).toEqual(mailboxes);
    expect(allRecipients({ ...settings, HR_INBOX: 'sales@firm.net' })).toEqual(
      mailboxes.filter((one) => one !== 'hr@firm.net'),
    );
  });
});

describe('RECIPIENTS is rejected', () => {
  it.each(['sap@firm.net', 'SAP = ', '= sap@firm.net', 'SAP = a@b.net = c@d.net', 'SAP = a@b.net; SAP = c@d.net'])(
    '"%s"',
    (RECIPIENTS) => expect(() => readSettings({ RECIPIENTS })).toThrow('RECIPIENTS must be pairs of name = address'),
  );

  it.each(['SAP = nobody', 'SAP = Sales<a@b.net>', 'SAP = a@b.net,c@d.net'])('"%s" > not an address', (RECIPIENTS) =>
    expect(() => readSettings({ RECIPIENTS })).toThrow('RECIPIENTS must name one e-mail address'),
  );
});

describe('unknownRecipients', () => {
  const named = (keys: readonly string[]) => ({
    SALES_INBOX: '',
    HR_INBOX: '',
    RECIPIENTS: new Map(keys.map((key) => [key, 'a@firm.net'])),
  });

  let folder: string;
  beforeEach(() => {
    folder = makeTemporaryFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('returns nothing > existing services and positions', () => {
    const positions = positionsOfSite();
    expect(positions).not.toBeNull();
    expect(unknownRecipients(named([...SERVICES, ...(positions ?? [])]))).toEqual([]);
    expect(unknownRecipients(named(['android-developer']), ['Android Developer'])).toEqual([]);
  });

  it('returns a misspelled service and an unknown position', () => {
    const misspelled = `${SERVICE}s`;
    const unknown = unknownRecipients(named([misspelled, 'ios-developer']), ['Android Developer']);
    expect(unknown).toEqual([expect.stringContaining(`"${misspelled}"`), expect.stringContaining('"ios-developer"')]);
  });

  it.each(WITH_SETTING)('returns the name of a form that has its own mailbox > %s', (form) => {
    expect(unknownRecipients(named([form]), ['Android Developer'])).toEqual([expect.stringContaining(`"${form}"`)]);
    const { RECIPIENTS } = named([form]);
    expect(recipientOf({ form: 'application', fields: { position: form } }, { ...settings, RECIPIENTS })).toBe(
      'a@firm.net',
    );
    expect(mailboxesOf('application', { ...settings, RECIPIENTS })).toEqual(['hr@firm.net', 'a@firm.net']);
  });

  it.each([
    ['title: Android Engineer (m/f/d)', 'Android Engineer (m/f/d)'],
    ['title: "Android: Engineer"  # new', 'Android: Engineer'],
    ["title: 'C# Developer'", 'C# Developer'],
    ['title: C# Developer # new\r', 'C# Developer'],
  ])('names a key that is the name of a file > whose title is %j', (line, title) => {
    writeFileSync(join(folder, 'android-developer.md'), `---\n${line}\ntown: Chennai\n---\n\ntitle: no\n`);
    const positions = positionsOfSite(pathToFileURL(`${folder}/`));
    expect(positions).toEqual([title]);
    expect(unknownRecipients(named(['android-developer', title]), positions)).toEqual([
      expect.stringContaining('"android-developer"'),
    ]);
  });

  it('returns nothing > the content is missing', () => {
    expect(positionsOfSite(new URL('file:///nothing/here/'))).toBeNull();
    expect(unknownRecipients(named(['No Service', 'ios-developer']), null)).toEqual([]);
  });
});
