import { serviceWords } from '../src/contract/service-words.ts';

/** Words of the service, for tests that look for them. */
export const words = {
  errors: serviceWords('errors'),
  plainPages: serviceWords('plainPages'),
  mails: serviceWords('mails'),
  submissions: serviceWords('submissions'),
  inbox: serviceWords('inbox'),
  signIn: serviceWords('signIn'),
};
