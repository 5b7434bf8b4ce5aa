import { DATE_LOCALE } from 'form-service/contract/locale';

const longDate = new Intl.DateTimeFormat(DATE_LOCALE, { dateStyle: 'long', timeZone: 'UTC' });

/** "2025-09-01" as "September 1, 2025": a calendar date is the same day in every time zone. */
export const formatCalendarDate = (isoDate: string): string => longDate.format(new Date(`${isoDate}T00:00:00Z`));
