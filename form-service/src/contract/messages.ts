/** The texts that a visitor reads; both sides of a form use them. */
export const messages = {
  contactSent: 'Message sent successfully!',
  contactSentDetail: "We'll get back to you within 24 hours.",
  contactFailed: 'Error sending message',
  contactFailedDetail: 'Please try again later.',

  applicationSent: 'Application submitted successfully!',
  applicationSentDetail: "We'll review your application and get back to you soon.",
  applicationFailed: 'Error submitting application',
  /** The sentence in the error box; `email` is the careers inbox. */
  applicationFailedDetail: (email: string) => `Please try again or contact us directly at ${email}`,
  /** The error for an answer of the server that has no message of its own. */
  submissionFailed: 'Submission failed',
  /** What is said where the dialog was closed before everything was sent. */
  applicationNotSent: 'Your application was not sent. What you filled in is still in the form.',
  /** What is said where the dialog was closed after everything was sent, and before the answer. */
  applicationUnanswered: 'Your application is sent. We are waiting for the answer.',

  /** The reasons of a failure that no answer of the service gives. */
  offline: 'You are offline. Nothing you typed is lost: send it again when you are back online.',
  noAnswer: 'We could not be reached. Please try again later. Nothing you typed is lost.',
  foreignAnswer:
    'It was not sent: something else answered in our place, such as the sign-in page of a public network. Nothing you typed is lost: send it again once you are connected.',
  reference: (reference: string) => `Your reference is ${reference}.`,

  resumeTooLarge: 'File size must be less than 10MB',
  resumeWrongType: 'Please upload a PDF or Word document',
  resumeEmpty: 'The file is empty.',
  /** The error for a document that Word opens, but whose format is neither .doc nor .docx. */
  resumeSaveAsPdf: 'Please save it as PDF and upload that',
  resumeDamaged: 'The file is damaged or incomplete. Please export it again and send it.',
  resumeHasPassword: 'The file is protected with a password. Please send it without one.',
  resumeChanged: 'The file has changed since you chose it. Please choose it again',
  resumeName: 'The name of the file has a character that cannot be sent. Please rename the file.',
  resumeHint: 'PDF, DOC, DOCX up to 10MB',

  required: 'Required',
  invalidInput: 'Invalid input',
  /** The error of a text that is too long; `path` is the field's label, or its name where it has none. */
  tooLong: ({ path, max }: { readonly path: string; readonly max: number }) =>
    `${path} must be at most ${max.toLocaleString('en-GB')} characters`,
  /** What is said near the end of what fits into a field. */
  charactersLeft: (left: number) => `${left.toLocaleString('en-GB')} character${left === 1 ? '' : 's'} left`,
  charactersTooMany: (many: number) => `${many.toLocaleString('en-GB')} character${many === 1 ? '' : 's'} too many`,
  nameTooShort: 'Name must be at least 2 characters',
  invalidEmailAddress: 'Invalid email address',
  serviceMissing: 'Please select a service',
  serviceHint: 'Not sure, or is it not here (AI, for example)? Take the nearest and say so in your message.',
  messageTooShort: 'Message must be at least 10 characters',
  /** The default error of an e-mail field that has no message of its own. */
  invalidEmail: 'Invalid email',
  /** The error for a value with CR, LF or another control character, which could break out of its line. */
  controlCharacters: 'Must not contain line breaks or control characters',
} as const;
