/** Language and region of all texts, dates, numbers and plurals (BCP 47). */
export const LOCALE = 'en-GB';
