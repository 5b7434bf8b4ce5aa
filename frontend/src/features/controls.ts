import { ChoiceField } from '../components/ui/choice-field.tsx';
import { FileInput } from './file-input.tsx';
import type { Controls } from './section-form.tsx';

/** The controls that `Field` does not draw. The build imports only those of a form into its script. */
export const CONTROLS: Controls = { file: FileInput, radio: ChoiceField, checkbox: ChoiceField };
