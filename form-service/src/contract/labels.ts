/** Labels of the fields of both forms, for the forms, error messages, mails and the inbox. */
export const contactLabels = {
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  service: 'Service',
  message: 'Message',
} as const;

export const applicationLabels = {
  fullName: 'Full Name',
  email: 'Email Address',
  phone: 'Phone Number',
  position: 'Position of Interest',
  experience: 'Years of Experience',
  resume: 'Resume/CV',
  coverLetter: 'Cover Letter / Message',
} as const;
