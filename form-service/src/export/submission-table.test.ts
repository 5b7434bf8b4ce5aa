import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it, jest } from '@jest/globals';
import { contactSubmission } from '../../test/submissions.ts';
import { defineForm } from '../contract/define-form.ts';
import { contact } from '../contract/forms/contact.ts';
import { wordsOf } from '../contract/words.ts';
import type { Submission } from '../submissions/submission.ts';

const asked = ['company', 'name', 'email', 'state', 'recipient', 'region'];
const partner = defineForm(
  {
    kind: 'partner',
    path: '/api/partner',
    page: '/partners',
    place: 'section',
    fields: [
      { name: 'company', input: 'text', role: 'sender' },
      { name: 'name', input: 'text' },
      { name: 'email', input: 'email', role: 'email', isRequired: true },
      { name: 'state', input: 'text' },
      { name: 'recipient', input: 'text' },
      { name: 'region', input: 'text', isRetired: true },
    ],
  },
  { ...wordsOf('contact'), fields: Object.fromEntries(asked.map((name) => [name, { label: `${name} of it` }])) },
);

jest.unstable_mockModule('../contract/form-list.ts', () => ({ FORMS: [contact, partner] }));
const { withAuditLog, writeCsv } = await import('./submission-table.ts');
const { words } = await import('../../test/words.ts');

const { columns } = words.submissions;
const labelOf = (name: string) => contact.words.fields[name]?.label ?? '';

/** Returns the cells of the only row, by their columns. */
async function cellsOf(fields: Readonly<Record<string, string>>, changes: Partial<Submission> = {}) {
  const csv = new PassThrough();
  const rows = async function* () {
    yield { ...contactSubmission(), form: 'partner', fields, ...changes };
  };
  const [written] = await Promise.all([text(csv), writeCsv(rows(), csv)]);
  const [columns = [], cells = []] = written
    .replace('\ufeff', '')
    .split('\r\n')
    .map((row) => row.split(','));
  return Object.fromEntries(columns.map((column, index) => [column, cells[index]]));
}

it('writeCsv > has each value of a form in a column of its own', async () => {
  const cells = await cellsOf({ company: 'Firm', name: 'Ada', email: 'a@b.cd', state: 'Ohio', region: 'East' });
  expect(cells).toMatchObject({
    [columns.form]: 'partner',
    [columns.state]: 'pending',
    [labelOf('name')]: 'Firm',
    'partner.name': 'Ada',
    [labelOf('email')]: 'a@b.cd',
    'partner.state': 'Ohio',
    'region of it': 'East',
  });
});

it('writeCsv > keeps columns apart > a value of a removed field, or of another form', async () => {
  const changes = { form: 'contact', recipient: 'sales@firm.example' };
  const cells = await cellsOf({ email: 'a@b.cd', attempts: 'many' }, changes);
  expect(cells).toMatchObject({ [columns.attempts]: '0', [labelOf('email')]: 'a@b.cd', 'recipient of it': '' });
});

it.each(['=1+1', '+1', '-1', '@SUM(1)', '＝1+1', ' =1+1', '\t=1'])(
  'writeCsv > makes a formula a text > %j',
  async (typed) => {
    expect(await cellsOf({ email: 'a@b.cd', state: typed })).toMatchObject({ 'partner.state': `'${typed}` });
  },
);

it('writeCsv > writes nothing before it has a submission, and breaks off > the reader fails', async () => {
  const csv = new PassThrough();
  const rows = async function* () {
    expect(csv.readableLength).toBe(0);
    yield contactSubmission();
    throw new RangeError('away');
  };
  await expect(writeCsv(rows(), csv)).rejects.toThrow('away');
  expect(csv.destroyed).toBe(true);
});

it('withAuditLog > logs a page before its first submission > the reader stops there', async () => {
  const all = async function* () {
    for (const id of ['a', 'b', 'c', 'd', 'e']) yield { id } as Submission;
  };
  const logged: string[] = [];
  const read = async (count: number) => {
    const found = withAuditLog(all(), 2, (references) => logged.push(references.join()));
    for (let at = 0; at < count; at++) await found.next();
    await found.return(undefined);
    return logged.splice(0);
  };
  expect(await read(1)).toEqual(['a,b']);
  expect(await read(2)).toEqual(['a,b']);
  expect(await read(5)).toEqual(['a,b', 'c,d', 'e']);
  expect(await read(0)).toEqual([]);
});
