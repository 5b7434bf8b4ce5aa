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

/** End of a sentence of the history. */
export const by = (name: string): string => ` ${words.submissions.history.by({ name })}`;

/** A sentence up to its time, whose value a test does not know. The place has the value `<time`. */
export const upToTime = (sentence: string): string => sentence.replace(/(?<=<time).*/, '');
