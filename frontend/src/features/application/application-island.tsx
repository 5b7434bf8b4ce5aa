import { hydrateIsland } from '../hydrate-island.ts';
import { ApplicationForm } from './application-form.tsx';

hydrateIsland(<ApplicationForm />);
