import { expect, it, jest } from '@jest/globals';
import { survey } from '../../test/survey.ts';
import { words } from '../../test/words.ts';
import { application } from '../contract/forms/application.ts';
import { contact } from '../contract/forms/contact.ts';
import { LOCALE } from '../contract/locale.ts';
import { listText } from '../html/format.ts';

const fields = survey.fields.filter(({ role }) => role !== 'topic');
const withoutTopic = { ...survey, fields };
jest.unstable_mockModule('../contract/form-list.ts', () => ({ FORMS: [contact, application, withoutTopic] }));
const { listPage } = await import('./list-page.ts');
const { searchOf } = await import('./search.ts');
const { scopeOf } = await import('../submissions/scope.ts');
const { contactSubmission } = await import('../../test/submissions.ts');

const settings = { SALES_INBOX: 'sales@firm.net', HR_INBOX: 'hr@firm.net' };
const options = {
  timeZone: 'UTC',
  newSince: 0,
  newCount: 0,
  marked: undefined,
  isEnd: false,
  isNothingChosen: false,
  isSelected: false,
  decisions: [],
  labels: [],
  days: [],
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

it.each([true, false])('listPage > says that nothing open was found > the search is widened: %s', (isWidened) => {
  const search = searchOf(scopeOf({ role: 'sales' }, settings), { q: 'ada', state: 'all' }, '');
  const content = { search, waiting: [], waitingCount: 0, reminded: [], found: [], foundCount: 0, pages: 1, isWidened };
  const page = listPage({ company: 'Firm', user: { name: 'pat', role: 'sales', hash: 'oidc' } }, content, options);
  expect(page.includes(words.inbox.list.onlyClosed)).toBe(isWidened);
});

it('listPage > leads on by a position, and back > more submissions than are counted', () => {
  const search = { ...searchOf({ forms: ['contact'] }, { state: 'all', before: '5.KW-1' }, ''), page: 200 };
  const content = { search, waiting: [], waitingCount: 0, reminded: [], found: [], foundCount: 10_001, pages: 200 };
  const next = { receivedAt: 3, id: 'KW-2' };
  const page = listPage({ company: 'Firm', user: undefined }, { ...content, next }, options);
  expect(page).toContain(words.inbox.list.moreThan({ count: (10_000).toLocaleString(LOCALE) }));
  const [{ newer, older }, { newest }] = [words.inbox.frame, words.inbox.list];
  const labels = new RegExp(`href="([^"]*)"[^>]*>(${[newest, newer, older].join('|')})<`, 'g');
  const links = Array.from(page.matchAll(labels), ([, href, text]) => [text, href]);
  expect(links).toEqual([
    [newest, '/inbox?state=all'],
    [newer, '/inbox?state=all&#38;before=5.KW-1&#38;page=199'],
    [older, '/inbox?state=all&#38;before=3.KW-2'],
  ]);
});

it.each([
  ['', ['done', 'spam']],
  // The list after the counted ones is not the filter.
  ['5.KW-1', []],
])('listPage > offers to mark a whole filter on its numbered pages > after "%s"', (before, offered) => {
  const search = searchOf({ forms: ['contact'] }, { state: 'delivered', before }, '');
  const found = [contactSubmission({}, { state: 'delivered' })];
  const content = { search, waiting: [], waitingCount: 0, reminded: [], found, foundCount: 60 };
  const page = listPage(
    { company: 'Firm', user: undefined },
    { ...content, pages: 2 },
    { ...options, isSelected: true },
  );
  expect(Array.from(page.matchAll(/mark-all\?[^"]*as=(\w+)/g), ([, as]) => as)).toEqual(offered);
});
