import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ALERTS } from './alert-kinds.ts';
import type { Check } from './health.service.ts';

describe('alert > kind', () => {
  const document = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const [, firstTable = ''] = /^(\|[\s\S]*?)\n\n/m.exec(document) ?? [];
  const rows = firstTable.split('\n').map((row) => row.split(' | '));

  it.each(Object.entries(ALERTS))('%s stands in the first table of operations.md', (kind, [, section]) => {
    const [, read] = rows.find(([seen]) => seen?.includes(`\`${kind}\``)) ?? [];
    expect(read).toContain(`(${section.replace('docs/operations.md', '')})`);
  });

  it('of a check is one of them', () => {
    // @ts-expect-error The compiler rejects other kinds.
    const { alert }: Check = { name: 'new', alert: { kind: 'no-such-kind' }, run: () => ({ status: 'ok' }) };
    expect(Object.keys(ALERTS)).not.toContain(alert?.kind);
  });
});
