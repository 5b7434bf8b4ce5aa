import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FieldInput, FieldRole, Form, FormField } from '../../../form-service/src/contract/define-form.ts';
import { HONEYPOT } from '../../../form-service/src/contract/protocol.ts';
import { REPOSITORY } from '../paths.ts';
import { isDay } from './fields.ts';
import { mistake, type Finding } from './findings.ts';
import { nearest } from './nearest.ts';

/** Kinds of control, with what `min` and `max` are, if they have an effect. */
const INPUTS: Readonly<Record<FieldInput, 'text' | 'number' | 'date' | 'options' | undefined>> = {
  text: 'text',
  tel: 'text',
  textarea: 'text',
  number: 'number',
  date: 'date',
  select: 'options',
  radio: 'options',
  email: undefined,
  checkbox: undefined,
  file: undefined,
};

/** Roles, with the kinds of control that they need, if not any. */
const ROLES: Readonly<Record<FieldRole, FieldInput | undefined>> = {
  sender: undefined,
  email: 'email',
  phone: undefined,
  topic: undefined,
  body: undefined,
};

/** Properties of a field, and the words that `defineForm` adds to them. */
const PROPERTIES: Readonly<Record<keyof FormField, true>> = {
  name: true,
  input: true,
  role: true,
  isRequired: true,
  isRetired: true,
  min: true,
  max: true,
  options: true,
  autoComplete: true,
  rows: true,
  saysOptional: true,
  isUnlabelled: true,
  label: true,
  hint: true,
  missing: true,
  invalid: true,
  choose: true,
  required: true,
  accept: true,
};

/** Names of roles and of the words of all forms, and paths of the service itself. */
const RESERVED: ReadonlySet<string> = new Set(['all', 'sales', 'hr', '/api/form-token']);

const FOLDER = 'form-service/src/contract/forms';
const sourceOf = (kind: string) => `${FOLDER}/${kind}.ts`;

/** Number of the line with a text, from 1; the last of several. */
type LineOf = (text: string) => number;

/** Returns the lines of the source of a form. A form without a source of its name is reported at its first line. */
function linesOf(kind: string): LineOf {
  try {
    const lines = readFileSync(join(REPOSITORY, sourceOf(kind)), 'utf8').split('\n');
    return (text) => Math.max(lines.findLastIndex((line) => line.includes(text)) + 1, 1);
  } catch {
    return () => 1;
  }
}

/**
 * Finds the mistakes in the rules of forms, which would show a wrong form, stop nginx or lose a part of a submission.
 *
 * @param sections forms that pages have, with the path of the page
 */
export function* formMistakes(
  forms: readonly Form[],
  sections: readonly { readonly form: string; readonly path: string }[] = [],
): Generator<Finding> {
  for (const file of readdirSync(join(REPOSITORY, FOLDER)))
    if (!file.endsWith('.test.ts') && !forms.some(({ kind }) => file === `${kind}.ts`))
      yield mistake(`${FOLDER}/${file}`, 1, 'no form in form-list.ts has this name as its kind: add it to FORMS');
  for (const [index, form] of forms.entries()) {
    const { kind, path, page } = form;
    const lineOf = linesOf(kind);
    const earlier = forms.slice(0, index);
    const found = function* (line: number, messages: Iterable<string>) {
      for (const message of messages) yield mistake(sourceOf(kind), line, message);
    };
    yield* found(lineOf('kind:'), kindMistakes(form, earlier));
    yield* found(lineOf('path:'), pathMistakes(path, earlier));
    const pages = sections.filter((section) => section.form === kind).map((section) => section.path);
    if (pages.length > 0 && !pages.includes(page))
      yield* found(lineOf('page:'), [`page: ${page} has no section with this form; ${pages.join(', ')} has one`]);
    const fields = [...form.fields, ...form.retiredFields];
    if (!fields.some(({ role }) => role === 'email'))
      yield* found(lineOf('fields:'), ["no field has role: 'email', to which answers are sent"]);
    for (const [place, field] of fields.entries())
      yield* found(lineOf(`name: '${field.name}'`), fieldMistakes(field, fields.slice(0, place)));
  }
}

function* kindMistakes({ kind }: Form, earlier: readonly Form[]) {
  if (!/^[a-z][a-z\d]*$/i.test(kind)) yield `kind: "${kind}" must be letters and digits, such as "survey"`;
  if (RESERVED.has(kind)) yield `kind: "${kind}" is the name of a role or of words: choose another one`;
  if (earlier.some((form) => form.kind === kind)) yield `kind: "${kind}" is another form: choose another one`;
}

function* pathMistakes(path: string, earlier: readonly Form[]) {
  if (!/^\/api\/[a-z\d-]+$/i.test(path)) yield `path: ${path} must be /api/ and letters, digits or hyphens`;
  const other = earlier.find((form) => form.path === path);
  if (other) yield `path: ${path} is the path of the form "${other.kind}": choose another one`;
  if (RESERVED.has(path)) yield `path: ${path} is a path of the service itself: choose another one`;
}

function* fieldMistakes(field: FormField, earlier: readonly FormField[]) {
  const { name, input, role } = field;
  if (!/^[a-z]\w*$/i.test(name) || name === HONEYPOT) yield `name: '${name}' cannot be the name of a field`;
  if (earlier.some((other) => other.name === name)) yield `name: '${name}' is the name of another field`;
  for (const key of Object.keys(field))
    if (!Object.hasOwn(PROPERTIES, key)) yield `${name}: ${key} has no meaning${nearest(key, Object.keys(PROPERTIES))}`;
  if (!Object.hasOwn(INPUTS, input)) yield `${name}: input: '${input}' ${noneOf(input, INPUTS)}`;
  else yield* valueMistakes(field);
  if (input === 'file' && earlier.some((other) => other.input === 'file')) yield `${name}: a form has one file at most`;
  if (role === undefined) return;
  const control = ROLES[role];
  const other = earlier.find((one) => one.role === role);
  if (!Object.hasOwn(ROLES, role)) yield `${name}: role: '${role}' ${noneOf(role, ROLES)}`;
  else if (control && input !== control) yield `${name}: role: '${role}' needs input: '${control}'`;
  else if (other) yield `${name}: role: '${role}' is that of "${other.name}" already: one field has it`;
}

const noneOf = (name: string, known: object) =>
  `does not exist${nearest(name, Object.keys(known)) || `; there are ${Object.keys(known).join(', ')}`}`;

/** Mistakes of `options`, `min` and `max`. */
function* valueMistakes({ name, input, options, min, max }: FormField) {
  const kind = INPUTS[input];
  if (kind === 'options' && !options?.length) yield `${name}: a ${input} needs options: ['One', 'Another']`;
  if (kind !== 'options' && options) yield `${name}: a field with input: '${input}' has no options`;
  // The schema of wording.yaml reports those that are no list of texts, at their line.
  const isList = Array.isArray(options) && options.every((option) => typeof option === 'string');
  if (isList && options.some((option) => option.trim() === '')) yield `${name}: an option has no text`;
  if (isList && new Set(options).size < options.length) yield `${name}: an option is there twice`;
  const limits = [min, max].filter((limit) => limit !== undefined);
  if (kind === 'number' && limits.some((limit) => Number.isNaN(Number(limit))))
    yield `${name}: min and max of a number are numbers, such as 1`;
  if (kind === 'date' && !limits.every(isDay)) yield `${name}: min and max of a date are days, such as '2026-01-31'`;
  if (min !== undefined && max !== undefined && (kind === 'date' ? min > max : Number(min) > Number(max)))
    yield `${name}: min is greater than max, so that no value is accepted`;
  if (kind === 'text' && (max !== undefined || (min !== undefined && !(Number(min) >= 1))))
    yield `${name}: a text has a min of 1 or more, and no max`;
  if ((kind === undefined || kind === 'options') && limits.length > 0)
    yield `${name}: min and max have no effect on input: '${input}'`;
}
