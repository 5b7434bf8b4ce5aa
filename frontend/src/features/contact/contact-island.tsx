import { hydrateIsland } from '../hydrate-island.ts';
import { ContactForm } from './contact-form.tsx';

hydrateIsland(<ContactForm />);
