import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ALERTS } from './alerts.service.ts';

describe('alert > kind', () => {
  const document = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const [, firstTable = ''] = /^(\|[\s\S]*?)\n\n/m.exec(document) ?? [];
  const rows = firstTable.split('\n').map((row) => row.split(' | '));

  it.each(Object.entries(ALERTS))('%s stands in the first table of operations.md', (kind, [, section]) => {
    const [, read] = rows.find(([seen]) => seen?.includes(`\`${kind}\``)) ?? [];
    expect(read).toContain(`(${section.replace('docs/operations.md', '')})`);
  });
});
