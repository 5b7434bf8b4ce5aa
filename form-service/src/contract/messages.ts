/** Texts for visitors, used by the site and the service. */
export const messages = {
  contactSent: 'Message sent successfully!',
  contactSentDetail: "We'll get back to you within 24 hours.",
  /** Next steps after an enquiry was accepted. */
  contactNext: [
    ['Now', 'Your message is stored and on its way to the people who answer.'],
    ['Within 24 hours', 'An engineer answers, with questions and a first opinion.'],
    ['Then', 'A free consultation, if it looks like a fit. You decide.'],
  ],
  contactFailed: 'Error sending message',
  contactFailedDetail: 'Please try again later.',

  applicationSent: 'Application submitted successfully!',
  applicationSentDetail: "We'll review your application and get back to you soon.",
  applicationFailed: 'Error submitting application',
  /** Text of the error box; `email` is the careers mailbox. */
  applicationFailedDetail: (email: string) => `Please try again or contact us directly at ${email}`,
  /** Error for a response without a message. */
  submissionFailed: 'Submission failed',
  /** Notice after the dialog was closed before everything was sent. */
  applicationNotSent: 'Your application was not sent. What you filled in is still in the form.',
  /** Notice after the dialog was closed between the last byte and the response. */
  applicationUnanswered: 'Your application is sent. We are waiting for the answer.',

  /** Errors without a response of the service. */
  offline: 'You are offline. Nothing you typed is lost: send it again when you are back online.',
  noAnswer: 'We could not be reached. Please try again later. Nothing you typed is lost.',
  foreignAnswer:
    'It was not sent: something else answered in our place, such as the sign-in page of a public network. Nothing you typed is lost: send it again once you are connected.',
  reference: (reference: string) => `Your reference is ${reference}.`,

  resumeTooLarge: 'File size must be less than 10MB',
  resumeWrongType: 'Please upload a PDF or Word document',
  resumeEmpty: 'The file is empty.',
  /** Error for a document that Word opens, but whose format is neither .doc nor .docx. */
  resumeSaveAsPdf: 'Please save it as PDF and upload that',
  resumeDamaged: 'The file is damaged or incomplete. Please export it again and send it.',
  resumeHasPassword: 'The file is protected with a password. Please send it without one.',
  resumeChanged: 'The file has changed since you chose it. Please choose it again',
  resumeName: 'The name of the file has a character that cannot be sent. Please rename the file.',
  resumeHint: 'PDF, DOC, DOCX up to 10MB',

  required: 'Required',
  invalidInput: 'Invalid input',
  /** Error for a text that is too long; `path` is the label of the field, or its name. */
  tooLong: ({ path, max }: { readonly path: string; readonly max: number }) =>
    `${path} must be at most ${max.toLocaleString('en-GB')} characters`,
  /** Hint near the maximum length of a field. */
  charactersLeft: (left: number) => `${left.toLocaleString('en-GB')} character${left === 1 ? '' : 's'} left`,
  charactersTooMany: (many: number) => `${many.toLocaleString('en-GB')} character${many === 1 ? '' : 's'} too many`,
  nameTooShort: 'Name must be at least 2 characters',
  invalidEmailAddress: 'Invalid email address',
  serviceMissing: 'Please select a service',
  serviceHint: 'Not sure, or is it not here (AI, for example)? Take the nearest and say so in your message.',
  messageTooShort: 'Message must be at least 10 characters',
  /** Default error of an e-mail field. */
  invalidEmail: 'Invalid email',
  /** Error for CR, LF or another control character in a one-line value (header injection). */
  controlCharacters: 'Must not contain line breaks or control characters',
} as const;
