import { randomUUID } from 'node:crypto';
import { HONEYPOT, IDEMPOTENCY_FIELD } from '../../contract/protocol.ts';
import { markedLabel, type FormField } from '../../contract/fields.ts';
import { readTemplate } from '../../html/template.ts';
import type { FormProfile } from '../forms.ts';
import type { HttpError } from '../../http/http-error.ts';
import { valueOf } from '../submission-request.ts';

/** These pages need no script and are readable without their stylesheet. */
const FRAME = new URL('frame.html', import.meta.url);
const fillForm = readTemplate(new URL('form.html', import.meta.url), FRAME);
const fillResult = readTemplate(new URL('result.html', import.meta.url), FRAME);

/** Defaults for a result page. */
const PLAIN_RESULT = { isError: false, isSent: false, reference: '', hasNext: false, next: [], canGoBack: false };

/** Renders the page of an accepted submission, for a browser without JavaScript. */
export function sentPage(company: string, form: FormProfile, reference: string): string {
  const { sent: title, sentDetail: message, page } = form;
  const next = form.next.map(([when, what]) => ({ when, what }));
  const values = {
    company,
    title,
    role: 'status',
    isSent: true,
    message,
    reference,
    hasNext: next.length > 0,
    next,
    page,
  };
  return fillResult({ ...PLAIN_RESULT, ...values });
}

/** Renders an error that is not about a field. */
export function errorPage(company: string, form: FormProfile | undefined, error: HttpError): string {
  const title = form?.failed ?? 'This did not work';
  const { message } = error;
  const [canGoBack, page] = [form !== undefined, form?.page ?? '/'];
  return fillResult({ ...PLAIN_RESULT, company, title, role: 'alert', isError: true, message, canGoBack, page });
}

/**
 * Renders the form with its errors and the values that were typed. It has a new idempotency key, because the corrected
 * form is another submission.
 */
export function formPage(company: string, form: FormProfile, error: HttpError, body: unknown): string {
  const fields = form.fields.map((field) =>
    controlOf(field, typedIn(body, field.name), error.details.errors?.[field.name]),
  );
  return fillForm({
    ...form,
    company,
    title: `Error: ${form.title}`,
    heading: form.title,
    message: error.message,
    wrong: fields.filter((field) => field.error !== ''),
    keyName: IDEMPOTENCY_FIELD,
    key: randomUUID(),
    honeypotName: HONEYPOT.name,
    honeypotLabel: HONEYPOT.label,
    fields,
  });
}

function controlOf(field: FormField, value: string, errors: readonly string[] = []) {
  const { name, input, options = [] } = field;
  const isFile = input === 'file';
  const error = errors.join(' ');
  return {
    autoComplete: undefined,
    choose: undefined,
    rows: undefined,
    accept: undefined,
    ...field,
    markedLabel: markedLabel(field),
    value,
    error,
    firstError: errors[0],
    hint: isFile && `${field.hint}. Please choose the file again: a browser does not keep it.`,
    described: [isFile && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' '),
    isTextarea: input === 'textarea',
    isSelect: input === 'select',
    isInput: input !== 'textarea' && input !== 'select',
    keepsValue: !isFile,
    options: options.map((option) => ({ option, isSelected: option === value })),
  };
}

function typedIn(body: unknown, name: string): string {
  const value = valueOf(body, name);
  return typeof value === 'string' ? value : '';
}
