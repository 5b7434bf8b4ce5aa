import type { FormProfile } from '../form-kind.ts';
import type { Refusal } from '../refusal.ts';
import { html } from './html.ts';
import { page } from './page.ts';

/** What a browser without script sees when nothing in its form can be put right. */
export function errorPage(form: FormProfile | undefined, refusal: Refusal): string {
  const title = form?.failed ?? 'This did not work';
  return page(
    title,
    html`<h1>${title}</h1>
<div class="notice notice--error" role="alert">
<p>${refusal.message}</p>
</div>
${form && html`<p>Your browser's Back button brings back what you typed.</p>
`}<p><a class="button" href="${form?.page ?? '/'}">Back to the site</a></p>`,
  );
}
