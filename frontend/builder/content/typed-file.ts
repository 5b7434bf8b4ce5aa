import { ValidationError, type AnySchema, type InferType } from 'yup';
import { fillFacts, fillMarkdown, type Facts } from './facts.ts';
import { flag, wrongTarget, type CastContext, type SiteCheck } from './fields.ts';
import { mistake, type Finding } from './findings.ts';
import { readBody } from './markdown-body.ts';
import type { ParsedFile } from './parse-file.ts';

/** A content file after the first pass: typed values, and the checks that need the rest of the site. */
export interface TypedFile<Data> {
  /** Path within `content/`. */
  readonly file: string;
  /** Undefined if the file has a mistake. */
  readonly data: Data | undefined;
  readonly isDraft: boolean;
  readonly findings: readonly Finding[];
  readonly later: readonly LaterCheck[];
  readonly lineOf: ParsedFile['lineOf'];
}

/** A check for the second pass, and the finding that its message becomes. */
export interface LaterCheck {
  readonly check: SiteCheck;
  readonly toFinding: (message: string) => Finding;
}

/** Fills the facts into a parsed file and casts it to the types of its schema. */
export function castFile<Of extends AnySchema>(parsed: ParsedFile, schema: Of, facts: Facts): TypedFile<InferType<Of>> {
  const { file, lineOf } = parsed;
  const findings = [...parsed.mistakes];
  const later: LaterCheck[] = [];
  const report = (line: number, message: string) => void findings.push(mistake(file, line, message));
  const finding = (path: string, message: string, words?: string) => {
    const name = /(\w[\w-]*)(?:\[\d+\])*$/.exec(path)?.[1];
    const text = /(?:cannot be null|must be defined)$/.test(message) ? 'is missing' : message;
    const separator = /^(?:is|has|must|needs|shows) /.test(text) ? ' ' : ': ';
    return mistake(file, lineOf(path, words), [name, text].filter(Boolean).join(separator));
  };
  const context: CastContext = {
    later: (path, check, words) => later.push({ check, toFinding: (message) => finding(path, message, words) }),
  };

  const head = parsed.values((text, lineOfWords) =>
    fillFacts(text, facts, (message, words) => report(lineOfWords(words), message)),
  );
  if (head === undefined) return { file, data: undefined, isDraft: false, findings, later, lineOf };
  let values = head;
  if (file.endsWith('.md')) {
    const text = fillMarkdown(parsed.body, facts, (message, line) => report(line + parsed.linesBefore, message));
    const read = readBody(file, text, parsed.linesBefore);
    findings.push(...read.findings);
    later.push(
      ...read.links.map(({ href, line }) => ({
        check: (...place: Parameters<SiteCheck>) => wrongTarget(href, ...place),
        toFinding: (message: string) => mistake(file, line, message),
      })),
    );
    values = { ...(head as object), body: read.body };
  }
  let data: InferType<Of> | undefined;
  try {
    data = schema.validateSync(values, { abortEarly: false, context }) as InferType<Of>;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    for (const { path = '', message, params } of error.inner.length > 0 ? error.inner : [error])
      findings.push(finding(path, message, typeof params?.words === 'string' ? params.words : undefined));
  }
  const isDraft = flag().cast((head as { draft?: unknown }).draft, { assert: false }) === true;
  return { file, data: findings.length > 0 ? undefined : data, isDraft, findings, later, lineOf };
}
