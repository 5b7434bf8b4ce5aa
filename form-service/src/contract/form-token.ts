/** Address that a form's script asks when a visitor first touches the form. */
export const FORM_TOKEN_PATH = '/api/form-token';

/** Header that a submission brings the {@link FormTokenAnswer.token} back in. */
export const FORM_TOKEN_HEADER = 'Form-Token';

/** Header with the {@link ProofPayload}, as JSON in Base64. */
export const FORM_PROOF_HEADER = 'Form-Proof';

/** What the address answers. Each part may be missing, and a submission without them is as welcome. */
export interface FormTokenAnswer {
  /** Says, signed, when the form was first touched. */
  readonly token?: string;
  /** Work for the visitor's browser; only where the operator asks for it. */
  readonly challenge?: ProofChallenge;
}

/**
 * A riddle in the format of ALTCHA's second version (algorithm `PBKDF2/SHA-256`): find a counter whose key, derived from
 * the nonce, the counter as four bytes and the salt, begins with the prefix. Binary values are hexadecimal.
 */
export interface ProofChallenge {
  readonly parameters: {
    readonly algorithm: 'PBKDF2/SHA-256';
    /** Iterations of PBKDF2. */
    readonly cost: number;
    /** Seconds since 1970. */
    readonly expiresAt: number;
    /** Bytes. */
    readonly keyLength: number;
    readonly keyPrefix: string;
    readonly nonce: string;
    readonly salt: string;
  };
  /** HMAC-SHA-256 of the parameters as JSON, their names in alphabetical order. */
  readonly signature: string;
}

/** A riddle and its answer. */
export interface ProofPayload {
  readonly challenge: ProofChallenge;
  readonly solution: { readonly counter: number; readonly derivedKey: string };
}
