import { ValidationError, type AnySchema, type InferType } from 'yup';
import { fillFacts, fillMarkdown, type Facts } from './facts.ts';
import { wrongTarget, type Place } from './fields.ts';
import { mistake, type Finding } from './findings.ts';
import { readBody } from './markdown-body.ts';
import type { ParsedFile } from './parse-file.ts';

/** A content file with typed values. */
export interface TypedFile<Data> {
  /** Undefined if the file has a mistake. */
  readonly data: Data | undefined;
  readonly findings: readonly Finding[];
}

/** Fills the facts into a parsed file and casts it to the types of its schema. */
export function castFile<Of extends AnySchema>(
  { file, mistakes, values, body, linesBefore, lineOf }: ParsedFile,
  schema: Of,
  facts: Facts,
  place?: Place,
): TypedFile<InferType<Of>> {
  const findings = [...mistakes];
  const report = (line: number, message: string) => void findings.push(mistake(file, line, message));
  let head = values((text, lineOfWords) =>
    fillFacts(text, facts, (message, words) => report(lineOfWords(words), message)),
  );
  if (head === undefined) return { data: undefined, findings };
  if (file.endsWith('.md')) {
    const text = fillMarkdown(body, facts, (message, line) => report(line + linesBefore, message));
    const read = readBody(file, text, linesBefore);
    findings.push(...read.findings);
    for (const { href, line } of read.links) {
      const message = place && wrongTarget(href, place);
      if (message) report(line, message);
    }
    head = { ...(head as object), body: read.body };
  }
  let data: InferType<Of> | undefined;
  try {
    data = schema.validateSync(head, { abortEarly: false, context: place }) as InferType<Of>;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    for (const { path = '', message, params } of error.inner.length > 0 ? error.inner : [error])
      report(
        lineOf(path, typeof params?.words === 'string' ? params.words : undefined),
        sentenceOf(path, /(?:cannot be null|must be defined)$/.test(message) ? 'is missing' : message),
      );
  }
  return { data: findings.length > 0 ? undefined : data, findings };
}

/** Puts the name of the field before a message. */
function sentenceOf(path: string, message: string): string {
  const name = /(\w[\w-]*)(?:\[\d+\])*$/.exec(path)?.[1];
  const separator = /^(?:is|has|must|needs|shows) /.test(message) ? ' ' : ': ';
  return [name, message].filter(Boolean).join(separator);
}
