import { randomUUID } from 'node:crypto';
import { IDEMPOTENCY_FIELD } from '../../contract/answer.ts';
import type { FormField } from '../../contract/fields.ts';
import { HONEYPOT } from '../../contract/honeypot.ts';
import { messages } from '../../contract/messages.ts';
import type { FormProfile } from '../forms.ts';
import type { HttpError } from '../http-error.ts';
import { html, type Html } from '../../html.ts';
import { page } from './page.ts';

/**
 * The form with its errors, for a browser without script: each message beside its field, everything that was typed, and
 * a new key, because the corrected form is another submission.
 */
export function formPage(company: string, form: FormProfile, error: HttpError, body: unknown): string {
  const errors = error.errors ?? {};
  const wrong = form.fields.filter(({ name }) => errors[name]);
  return page(
    company,
    `Error: ${form.title}`,
    html`<h1 class="text-2xl">${form.title}</h1>
<div class="notice notice-error" role="alert">
<h2 class="mb-1 text-lg">${form.failed}</h2>
<p>${error.message}</p>
<ul class="mt-1 list-disc pl-5">
${wrong.map(
  (
    field,
  ) => html`<li><a class="underline" href="#${field.name}">${plainLabel(field)}: ${errors[field.name]?.[0]}</a></li>
`,
)}</ul>
</div>
<form class="grid gap-6" method="post" action="${form.path}" enctype="${form.encoding}" novalidate>
<input type="hidden" name="${IDEMPOTENCY_FIELD}" value="${randomUUID()}">
<div class="sr-only" aria-hidden="true">${HONEYPOT.label} <input name="${HONEYPOT.name}" aria-label="${HONEYPOT.label}" tabindex="-1" autocomplete="off"></div>
${form.fields.map((field) => fieldOf(field, valueOf(body, field.name), errors[field.name]))}<p><button class="button" type="submit">${form.submitLabel}</button></p>
</form>
<p><a href="${form.page}">Back to the site</a></p>`,
  );
}

function fieldOf(field: FormField, value: string, errors: readonly string[] | undefined): Html {
  const errorId = `${field.name}-error`;
  const hintId = `${field.name}-hint`;
  const isFile = field.input === 'file';
  const described = [isFile && hintId, errors && errorId].filter((id) => typeof id === 'string').join(' ');
  const shared = html` id="${field.name}" name="${field.name}"${field.required && html` required`}${field.autoComplete && html` autocomplete="${field.autoComplete}"`}${errors && html` aria-invalid="true"`}${described && html` aria-describedby="${described}"`}`;
  return html`<div class="field">
<label for="${field.name}">${field.label}</label>
${
  isFile &&
  html`<p id="${hintId}">${messages.resumeHint}. Please choose the file again: a browser does not keep it.</p>
`
}${
    errors &&
    html`<p class="text-sm font-medium text-error" id="${errorId}">${errors.join(' ')}</p>
`
  }${control(field, shared, value)}
</div>
`;
}

function control(field: FormField, shared: Html, value: string): Html {
  switch (field.input) {
    case 'textarea':
      // HTML drops one line break after the tag, so one is added.
      return html`<textarea${shared} rows="${field.rows}">
${value}</textarea>`;
    case 'select':
      return html`<select${shared}>
<option value="">Select a service</option>
${field.options?.map(
  (option) => html`<option${option === value && html` selected`}>${option}</option>
`,
)}</select>`;
    case 'file':
      return html`<input${shared} type="file" accept="${field.accept}">`;
    default:
      return html`<input${shared} type="${field.input}" value="${value}">`;
  }
}

function valueOf(body: unknown, name: string): string {
  const value =
    typeof body === 'object' && body !== null && Object.hasOwn(body, name)
      ? (body as Record<string, unknown>)[name]
      : undefined;
  return typeof value === 'string' ? value : '';
}

function plainLabel(field: FormField): string {
  return field.label.replace(/ \*$/, '');
}
