/** Address that a form's script asks when a visitor first touches the form. */
export const FORM_TOKEN_PATH = '/api/form-token';

/** Header that a submission brings the {@link FormTokenAnswer.token} back in. */
export const FORM_TOKEN_HEADER = 'Form-Token';

/** What the address answers. Without a token a submission is as welcome. */
export interface FormTokenAnswer {
  /** Says, signed, when the form was first touched. */
  readonly token?: string;
}
