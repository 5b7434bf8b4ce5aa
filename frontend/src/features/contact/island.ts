import { hydrator } from '../hydrate.ts';
import { ContactForm } from './contact-form.tsx';

export const hydrate = hydrator(ContactForm);
