import type { InferType } from 'yup';
import { LOCALE } from '../../../form-service/src/contract/locale.ts';
import { formatCalendarDate } from '../../src/components/ui/calendar-date.ts';
import { withCountryName } from './countries.ts';
import type { Facts } from './facts.ts';
import type { Place } from './fields.ts';
import { slugOf } from './file-names.ts';
import { toLine } from './findings.ts';
import type { ParsedFile } from './parse-file.ts';
import { pageFile, type Job, type jobFile, type Page } from './schema.ts';
import type { Wording } from './wording.ts';
import { castFile, type TypedFile } from './typed-file.ts';

/** Fields of a position that its template may name, such as `{job.title}`. */
const FIELDS = ['title', 'department', 'location', 'country', 'type', 'experience', 'postedOn', 'applyBy'] as const;

/** Values of the position's fields; without a position, the names of the fields. */
const jobFacts = (job?: Job): Facts =>
  new Map(
    FIELDS.map((field) => {
      const fact = job?.[field === 'type' ? 'employment' : field] ?? field;
      return [`job.${field}`, job && /^(?:postedOn|applyBy)$/.test(field) ? formatCalendarDate(fact) : fact];
    }),
  );

/** Returns a salary such as "40.000–52.000 € pro Jahr". */
function salaryText({ currency, min, max, unit }: NonNullable<Job['salary']>, words: Wording): string {
  const amount = new Intl.NumberFormat(LOCALE, { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' });
  const text = max ? amount.formatRange(Number(min), Number(max)) : amount.format(Number(min));
  return `${text} ${words.salaryUnits[unit]}`;
}

/** Makes the pages of positions from their template. */
export function jobPages(template: ParsedFile, facts: Facts, words: Wording, site: Place['site']) {
  const fill = (path: string, job?: Job) =>
    castFile(template, pageFile, new Map([...facts, ...jobFacts(job)]), { site, path });
  const sample = fill('');
  const known = new Set(sample.findings.map(toLine));

  /** Joins a position with the page that the template makes of it. */
  const toPage = (
    { data, findings }: TypedFile<InferType<typeof jobFile>>,
    at: { file: string; path: string },
  ): TypedFile<Page> => {
    if (!data) return { data, findings };
    const { country, countryCode } = withCountryName(data);
    const { town, type, salary } = data;
    const job: Job = {
      ...data,
      country,
      countryCode,
      location: town ? `${town}, ${country}` : `${words.jobs.remote} (${country})`,
      employment: words.employment[type] ?? type,
      salaryText: salary && salaryText(salary, words),
      file: at.file,
      slug: slugOf(at.file),
    };
    const page = fill(at.path, job);
    const own = page.findings
      .filter((finding) => !known.has(toLine(finding)))
      .map((finding) => ({ ...finding, message: `${finding.message} (with the facts of content/${at.file})` }));
    return {
      findings: [...findings, ...own],
      data: page.data && {
        ...page.data,
        ...at,
        job,
        sections: page.data.sections.map((section) => (section.kind === 'job' ? { ...section, job } : section)),
      },
    };
  };
  return { sample, toPage };
}
