import { isDay } from './fields.ts';
import type { Company, Job, Navigation, Page } from './schema.ts';

/** What they are looked for in. */
interface Site {
  readonly company: Company;
  readonly jobs: readonly Job[];
  readonly pages: readonly Page[];
  readonly navigation: Navigation;
}

/** Days before a position closes at which a build begins to say so. */
const NOTICE_DAYS = 14;

/** Whether a position's last day is over. One that would end before it begins is a mistake. */
export const isExpired = ({ postedOn, applyBy }: Readonly<Record<string, unknown>>, today: string) =>
  isDay(postedOn) && isDay(applyBy) && postedOn < applyBy && applyBy < today;

/** What is no mistake, and somebody should look at, such as a position that closes or a title that is cut. */
export function reminders(site: Site, today: string, gone: ReadonlyMap<string, string>): readonly string[] {
  return [
    ...positions(site.jobs, today, gone),
    ...standIns(site.company),
    ...unlinked(site),
    ...longTitles(site.pages),
  ];
}

function* positions(jobs: Site['jobs'], today: string, gone: ReadonlyMap<string, string>) {
  for (const [path, what] of gone)
    if (path.startsWith('/careers/')) yield `${path} is left out: it is ${what}. Delete its file, or change applyBy.`;
  const notice = new Date(`${today}T00:00:00Z`);
  notice.setUTCDate(notice.getUTCDate() + NOTICE_DAYS);
  for (const { applyBy, file } of jobs)
    if (applyBy <= notice.toJSON().slice(0, 10))
      yield `content/${file}: the position closes on ${applyBy}, and a build after that day leaves it out.`;
}

/** What a list of results shows of a title, in letters. */
const TITLE_SHOWN = 65;

/** Most often it is the company's name that makes it long, which is no mistake of the page. */
const longTitles = (pages: Site['pages']) =>
  pages
    .filter(({ title }) => title.length > TITLE_SHOWN)
    .map(
      ({ file, title }) =>
        `content/${file}: title has ${title.length} letters with the facts in it, and a list of results shows about ${TITLE_SHOWN}.`,
    );

/** A domain, number or address that nobody has (RFC 2606 reserves .example). */
const STAND_IN = /\.example\b|[/_-]example\b|example[/_-]|0{3} ?0{3}|^0 |\bplaceholder\b/i;

function standIns(company: Company): readonly string[] {
  if (/\.example$|^https?:\/\/(?:localhost|127\.)/.test(company.host)) return [];
  const places = new Map<string, readonly string[]>();
  const look = (value: unknown, place: string): void => {
    if (typeof value === 'string' && STAND_IN.test(value)) places.set(value, [...(places.get(value) ?? []), place]);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value))
      look(part, Array.isArray(value) ? `${place}[${Number(key) + 1}]` : [place, key].filter(Boolean).join('.'));
  };
  // What is made of the others is in no file.
  look({ ...company, securityEmail: '' }, '');
  return [...places].map(
    ([value, names]) => `content/company.yaml still has the stand-in "${value}" (${names.join(', ')}).`,
  );
}

/** Pages that a visitor finds on the sitemap only. */
function unlinked({ navigation, pages }: Pick<Site, 'pages' | 'navigation'>): readonly string[] {
  const links = JSON.stringify([navigation, pages.map(({ hero, sections }) => [hero, sections])]);
  return pages
    .filter(({ path }) => path !== '/404' && path !== '/sitemap' && !new RegExp(`"href":"${path}["#]`).test(links))
    .map(
      ({ file, path }) =>
        `content/${file}: no menu, footer, card or button leads to ${path}; visitors find it on /sitemap only.`,
    );
}
