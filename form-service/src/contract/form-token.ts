/** The address that a form's script asks for a token when a visitor first touches the form. */
export const FORM_TOKEN_PATH = '/api/form-token';

/** The header in which a submission returns the {@link FormTokenAnswer.token}. */
export const FORM_TOKEN_HEADER = 'Form-Token';

/** The answer of that address. A submission is accepted without a token too. */
export interface FormTokenAnswer {
  /** The signed time at which the form was first touched. */
  readonly token?: string;
}
