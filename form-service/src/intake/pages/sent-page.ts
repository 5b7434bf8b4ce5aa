import type { FormProfile } from '../forms.ts';
import { html } from '../../html.ts';
import { page } from './page.ts';

/** What a browser without script sees when its submission was accepted. */
export function sentPage(form: FormProfile, reference: string): string {
  return page(
    form.sent,
    html`<h1 class="text-2xl">${form.sent}</h1>
<div class="notice" role="status">
<p>${form.sentDetail}</p>
<p>Your reference is <strong class="whitespace-nowrap">${reference}</strong>.</p>
</div>
<p><a class="button" href="${form.page}">Back to the site</a></p>`,
  );
}
