import { hydrator } from '../hydrate.ts';
import { ApplicationForm } from './application-form.tsx';

export const hydrate = hydrator(ApplicationForm);
