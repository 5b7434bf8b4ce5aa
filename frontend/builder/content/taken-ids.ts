import { FORMS } from '../../../form-service/src/contract/forms.ts';

/** Ids of forms and of their fields, alone or with an ending such as `-hint`. */
const FORM_ID = new RegExp(
  `^(?:${FORMS.flatMap(({ kind, fields }) => [kind, ...fields.map(({ name }) => name)]).join('|')})(?:-[a-z]+)?$`,
);

/** Whether a form has an id, or it is of the frame of the pages, whose ids begin with `site-`. */
export const isTakenId = (id: string): boolean => id.startsWith('site-') || FORM_ID.test(id);
