import type { FormProfile } from '../forms.ts';
import { html } from '../../html.ts';
import { page } from './page.ts';

/** The page for a browser without script whose submission was accepted. */
export function sentPage(form: FormProfile, reference: string): string {
  return page(
    form.sent,
    html`<h1>${form.sent}</h1>
<div class="notice notice--success" role="status">
<p>${form.sentDetail}</p>
<p>Your reference is <strong>${reference}</strong>.</p>
</div>
<p><a class="button" href="${form.page}">Back to the site</a></p>`,
  );
}
