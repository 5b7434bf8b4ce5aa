import { randomUUID } from 'node:crypto';
import type { Settings } from '../../settings/settings.ts';
import { HONEYPOT, IDEMPOTENCY_FIELD, type ErrorAnswer } from '../../contract/protocol.ts';
import { markedLabel, TICKED, type Form, type FormField } from '../../contract/define-form.ts';
import { readTemplate } from '../../html/template.ts';
import type { RenderError } from '../../http/exception.filter.ts';
import type { HttpError } from '../../http/http-error.ts';
import { formAt } from '../../http/request-context.middleware.ts';
import { typedIn } from '../submission-request.ts';
import { serviceWords } from '../../contract/service-words.ts';

const words = serviceWords('plainPages');

/** These pages need no script and are readable without their stylesheet. */
const FRAME = new URL('frame.html', import.meta.url);
const fillForm = readTemplate(new URL('form.html', import.meta.url), FRAME);
const fillResult = readTemplate(new URL('result.html', import.meta.url), FRAME);

/** Defaults for a result page. */
const PLAIN_RESULT = {
  notice: '',
  isError: false,
  isSent: false,
  reference: '',
  hasNext: false,
  next: [],
  canGoBack: false,
};

/** Renders the page of an accepted submission, for a browser without JavaScript. */
export function sentPage(company: string, { words: own, page }: Form, reference: string): string {
  const { sent: title, sentDetail: message, next = [] } = own;
  const shown = { company, title, role: 'status', message, reference, next, page };
  return fillResult({ ...PLAIN_RESULT, ...shown, isSent: true, hasNext: next.length > 0 });
}

/** Renders the errors of the api. If fields are invalid, the HTML page is the form with the messages. */
export const submissionErrors =
  ({ COMPANY_NAME: company }: Pick<Settings, 'COMPANY_NAME'>): RenderError =>
  (error, { originalUrl, body }) => {
    const form = formAt(originalUrl);
    const { errors } = error.details;
    return {
      json: () =>
        JSON.stringify({ success: false, message: error.message, ...(errors && { errors }) } satisfies ErrorAnswer),
      text: () => sentenceOf(error),
      html: () => (form && errors ? formPage(company, form, error, body) : errorPage(company, form, error)),
    };
  };

/** Returns the message and the first error of each field as sentences. */
function sentenceOf({ message, details }: HttpError): string {
  const wrong = Object.values(details.errors ?? {}).flatMap((ofField) => ofField.slice(0, 1));
  return [message, ...wrong.filter((one) => one !== message).map((one) => `${one}.`)].join(' ');
}

/** Renders an error that is not about a field. */
export function errorPage(company: string, form: Form | undefined, error: HttpError): string {
  const title = form?.words.failed ?? words.failed;
  const { message } = error;
  const [canGoBack, page] = [form !== undefined, form?.page ?? '/'];
  // Red is for what the visitor has to do something about.
  const notice = canGoBack ? 'notice-error' : 'border-edge bg-surface';
  return fillResult({
    ...PLAIN_RESULT,
    company,
    title,
    role: 'alert',
    notice,
    isError: true,
    message,
    canGoBack,
    page,
  });
}

/**
 * Renders the form with its errors and the values that were typed. It has a new idempotency key, because the corrected
 * form is another submission.
 */
export function formPage(company: string, form: Form, error: HttpError, body: unknown): string {
  const fields = form.fields.map((field) =>
    controlOf(field, textIn(body, field.name), error.details.errors?.[field.name]),
  );
  return fillForm({
    company,
    path: form.path,
    page: form.page,
    encoding: form.encoding,
    submitLabel: form.words.submit,
    failed: form.words.failed,
    title: words.error({ title: form.words.title }),
    heading: form.words.title,
    message: error.message,
    wrong: fields.filter((field) => field.error !== ''),
    keyName: IDEMPOTENCY_FIELD,
    key: randomUUID(),
    honeypot: HONEYPOT,
    fields,
  });
}

function controlOf(field: FormField, value: string, errors: readonly string[] = []) {
  const { name, input, options = [TICKED] } = field;
  const isFile = input === 'file';
  const isChoice = input === 'radio' || input === 'checkbox';
  const hasLimits = input === 'date' || input === 'number';
  const again = isFile && words.chooseFileAgain;
  const hint = [field.hint, again].filter(Boolean).join('. ');
  const error = errors.join(' ');
  return {
    autoComplete: undefined,
    choose: undefined,
    rows: undefined,
    accept: undefined,
    ...field,
    // The least length of a text is no limit of its control.
    min: hasLimits ? field.min : undefined,
    max: hasLimits ? field.max : undefined,
    step: hasLimits ? field.step : undefined,
    markedLabel: markedLabel(field),
    value,
    error,
    firstError: errors[0],
    hint,
    described: [error && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(' '),
    isTextarea: input === 'textarea',
    isSelect: input === 'select',
    isRadio: input === 'radio',
    isCheckbox: input === 'checkbox',
    isLabelled: !isChoice,
    box: isChoice ? 'choices' : `field ${input === 'textarea' ? 'col-span-full' : ''}`.trim(),
    isInput: input !== 'textarea' && input !== 'select' && !isChoice,
    keepsValue: !isFile,
    options: options.map((option, index) => ({
      option,
      isSelected: option === value,
      id: index === 0 ? name : `${name}-${index}`,
    })),
  };
}

function textIn(body: unknown, name: string): string {
  const value = typedIn(body, name);
  return typeof value === 'string' ? value : '';
}
