import { parseEnv } from 'node:util';
import { expect, test } from '@jest/globals';
import { setVariables } from './env-values.ts';

test('writes variables at their places, quoted where programs differ', () => {
  const source = '# A remark.\nPORT=8081\n# Sender.\n#MAIL_FROM=a@kite.example\nSITE_URL=https://old.example\nLAST=1';
  const values = { SITE_URL: 'https://new.example', MAIL_FROM: 'b@new.example', SMTP_URL: 'smtps://a:p$&#@b.example' };
  const changed = setVariables(source, new Map(Object.entries(values)));
  expect(changed.split('\n')).toEqual([
    '# A remark.',
    'PORT=8081',
    '# Sender.',
    '#MAIL_FROM=a@kite.example',
    'MAIL_FROM=b@new.example',
    'SITE_URL=https://new.example',
    'LAST=1',
    "SMTP_URL='smtps://a:p$&#@b.example'",
    '',
  ]);
  expect(parseEnv(changed)).toMatchObject({ ...values, PORT: '8081', LAST: '1' });
});
