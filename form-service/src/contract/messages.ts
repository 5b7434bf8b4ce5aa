/** Texts a visitor reads, quoted from the specification (sections 4, 5 and 8) and used by both sides of a form. */
export const messages = {
  contactSent: 'Message sent successfully!',
  contactSentDetail: "We'll get back to you within 24 hours.",
  contactFailed: 'Error sending message',
  contactFailedDetail: 'Please try again later.',

  applicationSent: 'Application submitted successfully!',
  applicationSentDetail: "We'll review your application and get back to you soon.",
  applicationFailed: 'Error submitting application',
  /** The sentence of the red box; `email` is the careers inbox. */
  applicationFailedDetail: (email: string) => `Please try again or contact us directly at ${email}`,
  /** Error text when the server's answer carries no message of its own. */
  submissionFailed: 'Submission failed',

  resumeTooLarge: 'File size must be less than 10MB',
  resumeWrongType: 'Please upload a PDF or Word document',
  resumeEmpty: 'The file is empty.',
  /** A document that Word opens, and that is neither .doc nor .docx inside. */
  resumeSaveAsPdf: 'Please save it as PDF and upload that',
  resumeDamaged: 'The file is damaged or incomplete. Please export it again and send it.',
  resumeHasPassword: 'The file is protected with a password. Please send it without one.',
  resumeName: 'The name of the file has a character that cannot be sent. Please rename the file.',
  resumeHint: 'PDF, DOC, DOCX up to 10MB',

  required: 'Required',
  invalidInput: 'Invalid input',
  atLeast: (chars: number) => `String must contain at least ${chars} character(s)`,
  atMost: (chars: number) => `String must contain at most ${chars} character(s)`,
  nameTooShort: 'Name must be at least 2 characters',
  invalidEmailAddress: 'Invalid email address',
  serviceMissing: 'Please select a service',
  messageTooShort: 'Message must be at least 10 characters',
  /** Generic default of an e-mail rule that has no message of its own. */
  invalidEmail: 'Invalid email',
  /** A value that would break out of a line: CR, LF or another control character. */
  controlCharacters: 'Must not contain line breaks or control characters',
} as const;
