import { expect, it, jest } from '@jest/globals';
import { survey } from '../../test/survey.ts';
import { application } from '../contract/forms/application.ts';
import { contact } from '../contract/forms/contact.ts';
import { listText } from '../html/format.ts';

const fields = survey.fields.filter(({ role }) => role !== 'topic');
const withoutTopic = { ...survey, fields };
jest.unstable_mockModule('../contract/form-list.ts', () => ({ FORMS: [contact, application, withoutTopic] }));
const { listPage } = await import('./list-page.ts');
const { searchOf } = await import('./search.ts');
const { scopeOf } = await import('../submissions/scope.ts');

const settings = { SALES_INBOX: 'sales@firm.net', HR_INBOX: 'hr@firm.net' };
const options = {
  timeZone: 'UTC',
  newSince: 0,
  marked: undefined,
  isSelected: false,
  counts: new Map(),
  labels: [],
};

it.each([
  ['survey', []],
  ['sales', [contact.words.topic]],
  ['all', [listText([contact.words.topic ?? '', application.words.topic ?? ''], 'disjunction')]],
  ['hr@firm.net', [application.words.topic]],
])('listPage > filters by the topics of the forms > role %s', (role, labels) => {
  const search = searchOf(scopeOf({ role }, settings), {}, '');
  const user = { name: 'pat', role, hash: 'oidc' };
  const content = { search, waiting: [], waitingCount: 0, reminded: [], found: [], foundCount: 0, pages: 1 };
  const page = listPage({ company: 'Firm', user }, content, options);
  const found = Array.from(page.matchAll(/<select[^>]* name="topic" aria-label="([^"]*)"/g), ([, label]) => label);
  expect(found).toEqual(labels);
});
