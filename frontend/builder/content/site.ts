import { DIALOG_FORM } from '../../../form-service/src/contract/forms.ts';
import { fillMarkdown, type Facts } from './facts.ts';
import { flag, isDay } from './fields.ts';
import { isTakenId, JOB_TEMPLATE, NEEDED, pathOf, slugOf } from './file-names.ts';
import { mistake, reminder, type Finding } from './findings.ts';
import { readBody } from './markdown-body.ts';
import type { ParsedFile } from './parse-file.ts';
import { valuesIn } from './values.ts';

/** What follows from all files together, before any of them is cast. */

/** Leaves out drafts, unless they are wanted, and closed positions. `gone` has the reasons by their paths. */
export function selectPages(files: readonly ParsedFile[], drafts: boolean, today: string) {
  const shown: ParsedFile[] = [];
  const gone = new Map<string, string>();
  const findings: Finding[] = [];
  for (const parsed of files) {
    const { file, lineOf } = parsed;
    const { draft, applyBy } = (parsed.values() ?? {}) as { readonly draft?: unknown; readonly applyBy?: unknown };
    const isDraft = flag().cast(draft, { assert: false }) === true;
    if (isDraft && NEEDED.includes(file))
      findings.push(mistake(file, lineOf('draft'), 'draft cannot stand here: the site needs this file'));
    if (isDraft && !drafts) {
      gone.set(pathOf(file), 'a draft');
    } else if (isDay(applyBy) && applyBy < today) {
      gone.set(pathOf(file), `a position that closed on ${applyBy}`);
      const message = `the position closed on ${applyBy} and is left out: delete the file, or change applyBy`;
      findings.push(reminder(file, lineOf('applyBy'), message));
    } else {
      shown.push(parsed);
    }
  }
  return { shown, gone, findings };
}

/** Anchor of the form that positions open. */
const DIALOG_IDS = DIALOG_FORM ? [DIALOG_FORM.kind] : [];

/** Returns what links may lead to: files and pages by their paths, with their anchors, if the file can be read. */
export function targetsOf(shown: readonly ParsedFile[], template: ParsedFile, facts: Facts) {
  const jobs = shown.flatMap(({ file }) => (file.startsWith('jobs/') ? [slugOf(file)] : []));
  const anchorsOf = (parsed: ParsedFile): ReadonlySet<string> | undefined => {
    const values = parsed.values();
    if (values === undefined) return undefined;
    const ids = valuesIn(values).flatMap(({ key, value }) => {
      if (key === 'id') return [String(value)];
      if (key !== 'kind' || !/^jobs?$/.test(String(value))) return [];
      return value === 'jobs' ? [...jobs, ...DIALOG_IDS] : DIALOG_IDS;
    });
    const ofTemplate = parsed.file.startsWith('jobs/') ? (anchorsOf(template) ?? []) : [];
    return new Set(['site-content', ...ids, ...ofTemplate, ...anchorsIn(parsed, facts)]);
  };
  return new Map([
    ...['/sitemap.xml', '/robots.txt'].map((file) => [file, new Set<string>()] as const),
    ...[template, ...shown].map((parsed) => [pathOf(parsed.file), anchorsOf(parsed)] as const),
  ]);
}

/** Anchors of the headings of a Markdown text. */
const anchorsIn = ({ file, body }: ParsedFile, facts: Facts) =>
  readBody(file, fillMarkdown(body, facts), 0).body.parts.flatMap(({ id, blocks }) => [
    id,
    ...blocks.flatMap((block) => ('heading' in block ? block.id : [])),
  ]);

/** Finds ids that a page has twice, or that belong to its frame, and forms and positions in the wrong place. */
export function* pageFindings({ file, lineOf, values }: ParsedFile): Generator<Finding> {
  const seen = new Set<string>();
  let hasForm = false;
  for (const { path, key, value } of valuesIn(values())) {
    const text = String(value);
    const refuse = (message: string) => mistake(file, lineOf(path), message);
    if (key === 'id' && isTakenId(text))
      yield refuse(`id: "${text}" belongs to the frame of the page or to a form: choose another one`);
    if (key === 'id' && seen.has(text))
      yield refuse(`id: "${text}" is the id of another section of this page: choose another one`);
    if (key === 'id') seen.add(text);
    if (key !== 'kind' || !/^(?:form|jobs?)$/.test(text)) continue;
    if (hasForm) yield refuse('a page has one form: move this section to another page');
    if (text === 'job' && file !== JOB_TEMPLATE) yield refuse(`"kind: job" can stand in ${JOB_TEMPLATE} only`);
    hasForm = true;
  }
}
