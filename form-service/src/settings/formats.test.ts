import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  dkimKey,
  hostName,
  issuer,
  mailbox,
  mailServerUrl,
  origin,
  timeOfDay,
  timeZone,
  url,
  webhookSecret,
  webhookUrl,
  wholeNumber,
} from './formats.ts';

const PEM = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
const LABEL = 'a'.repeat(63);
const KEY = 'A'.repeat(32);

/** Texts that a setting accepts, and those that it rejects. */
const FORMATS: readonly (readonly [
  name: string,
  schema: { validateSync(text: string): unknown },
  accepted: string[],
  rejected: string[],
])[] = [
  [
    'url',
    url('https://', 'tcp://', 'unix:', 'file:'),
    ['https://a', 'https://a:1/b?c', 'tcp://a:1', 'unix:/x', 'file:/x', 'file:///x', 'file:x'],
    ['http://a', 'https://', 'https://:1', 'tcp:///x', 'tcp:a', 'unix:', 'file:', 'file://a/x', 'file://'],
  ],
  [
    'issuer',
    issuer(),
    ['https://a:1/b', 'http://localhost:1/b', 'http://127.1.2.3:1', 'https://login.microsoftonline.com/commons/v2.0'],
    [
      'http://a',
      'http://127.0.0.1.a',
      'https://a?b',
      'https://a/#b',
      'https://u@a',
      ...['com', 'us', 'cn'].map((end) => `https://login.microsoftonline.${end}/common/v2.0`),
      'https://login.partner.microsoftonline.cn/organizations',
      'https://login.microsoft.com/consumers/v2.0',
      'https://LOGIN.microsoftonline.com/Common',
    ],
  ],
  [
    'webhookUrl',
    webhookUrl(),
    ['https://a', 'https://a:1/b?c=d', 'http://localhost:1/b', 'http://127.0.0.1', 'http://[::1]/b', 'HTTPS://A'],
    ['http://a', 'http://localhost.a/b', 'http://[::2]', 'https://', 'https://a/b c', 'ftp://a'],
  ],
  [
    'mailServerUrl',
    mailServerUrl(),
    ['smtp://a', 'smtp://u:p@a:587/?x=465', 'smtps://a', 'smtps://a:465', 'smtp://a:4650', 'smtp://u%25@a'],
    ['smtp://a:465', 'smtp://u:p@a:465/', 'smtp://a:465?x', 'smtps://a:587', 'smtps://u@a:25', 'smtp://u%@a'],
  ],
  [
    'webhookSecret',
    webhookSecret(),
    [KEY, `whsec_${KEY}`, `${KEY}=`, `${KEY}==`, `${KEY.slice(1)}+/`],
    [KEY.slice(1), `whsec_${KEY.slice(1)}`, `${KEY}===`, `${KEY}-`, `wh_${KEY}`],
  ],
  [
    'origin',
    origin(),
    ['https://inbox.example.org', 'http://inbox.localhost:8080/'],
    ['inbox.example.org', 'https://a/inbox', 'https://a?x', 'https://user@a'],
  ],
  ['timeZone', timeZone(), ['UTC', 'Asia/Kolkata'], ['Europe/Atlantis']],
  ['wholeNumber', wholeNumber(2, 4), ['2', '3', '4'], ['1', '5', '2.5', '-3', 'x', '3x']],
  [
    'mailbox',
    mailbox(),
    ['a@b', "o'neil+x@b.example", 'jos\u00E9@b.example'],
    ['a', '@b', 'a@', 'a@b@c', 'A <a@b>', 'a@b,c@d', 'a@b;c@d', 'a b@c', 'a:b@c', 'a;b@c', 'a,b@c', '"a"@b'],
  ],
  [
    'dkimKey > domain',
    { validateSync: (name: string) => dkimKey().validateSync(`mail._domainkey.${name}\n${PEM}`) },
    ['a', 'a.b', 'a-b.c', 'A1.b', 'xn--a.b'],
    ['-a', 'a-', 'a.-b', 'a.b-', 'a..b', '.a', 'a.', 'a_b', '\u00E4.b'],
  ],
  [
    'hostName',
    hostName(),
    ['a', 'a-b.c', 'a-', `${LABEL}.${LABEL}`, '[192.0.2.1]', '[2001:DB8::1]'],
    ['-a', 'a.-b', 'a..b', `${LABEL}a`, `b.${LABEL}a`, '[]', '[a', '[g]', 'a b'],
  ],
  [
    'timeOfDay',
    timeOfDay(),
    ['00:00', '09:59', '19:00', '20:00', '23:59', ''],
    ['24:00', '30:00', '12:60', '8:00', '08:0', '08:00:00', '0800'],
  ],
];

describe.each(FORMATS)('%s', (_name, schema, accepted, rejected) => {
  it.each(accepted)('accepts %j', (text) => {
    expect(() => schema.validateSync(text)).not.toThrow();
  });

  it.each(rejected)('rejects %j', (text) => {
    expect(() => schema.validateSync(text)).toThrow('must');
  });
});
