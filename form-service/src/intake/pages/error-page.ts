import type { FormProfile } from '../forms.ts';
import type { HttpError } from '../http-error.ts';
import { html } from '../../html.ts';
import { page } from './page.ts';

/** What a browser without script sees when nothing in its form can be put right. */
export function errorPage(form: FormProfile | undefined, error: HttpError): string {
  const title = form?.failed ?? 'This did not work';
  return page(
    title,
    html`<h1 class="text-2xl">${title}</h1>
<div class="notice notice-error" role="alert">
<p>${error.message}</p>
</div>
${
  form &&
  html`<p>Your browser's Back button brings back what you typed.</p>
`
}<p><a class="button" href="${form?.page ?? '/'}">Back to the site</a></p>`,
  );
}
