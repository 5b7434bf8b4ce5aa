import { translatedCountry } from '../../frontend/builder/content/countries.ts';
import { statSync } from 'node:fs';
import { reach, ValidationError, type AnySchema } from 'yup';
import { brandFile, companyFile } from '../../frontend/builder/content/schema.ts';
import { readLogo } from '../../frontend/builder/brand.ts';
import { settingsMistakes } from '../stack/settings.ts';

/** A fact that the command asks for, or takes as an option. */
export interface Question {
  /** Name of the option, such as `careers-email`. */
  readonly option: string;
  readonly text: string;
  readonly example: string;
  /** Path in company.yaml or brand.yaml whose value is the answer until another one is given. */
  readonly path?: string;
  /** Whether the answer is typed unseen and never printed. */
  readonly isSecret?: boolean;
  /** Whether it is an option only. */
  readonly isOptional?: boolean;
  /** Returns what is wrong with an answer. */
  readonly mistake: (answer: string) => string | undefined;
}

/** Applies the schema that the build applies to a value. */
const bySchema = (schema: AnySchema, path: string) => (answer: string) => {
  try {
    (reach(schema, path) as AnySchema).validateSync(answer);
    return undefined;
  } catch (error) {
    if (error instanceof ValidationError) return error.message.replace(/ in quotes,/, ',');
    throw error;
  }
};
const ofCompany = (path: string) => ({ path, mistake: bySchema(companyFile, path) });

/** Applies the check of `npm run config:check`. */
const bySettings = (name: string) => (answer: string) => {
  if (answer.includes("'")) return "must not have a ' in it: write %27";
  const mistake = settingsMistakes({ ...process.env, [name]: answer }).find((one) => one.startsWith(`${name} `));
  // The most frequent mistake in an address that begins well.
  const hint = /^smtps?:/.test(answer) ? '. Write # in user and password as %23, @ as %40, / as %2F and : as %3A' : '';
  return mistake && mistake.slice(name.length + 1) + hint;
};

/** Splits an address at its commas. */
export function officeOf(answer: string) {
  const parts = answer.split(',').map((part) => part.trim());
  const [postalCode = '', locality = '', country = ''] = parts.slice(-3);
  return { street: parts.slice(0, -3), postalCode, locality, country };
}

function wrongOffice(answer: string): string | undefined {
  const { street, postalCode, locality, country } = officeOf(answer);
  if ([...street, postalCode, locality].some((part) => !part) || street.length === 0)
    return 'must be street, postal code, town and country, with commas between them';
  return translatedCountry(country, 'en', 'en') ? undefined : `"${country}" is no country in English`;
}

function wrongLogo(answer: string): string | undefined {
  if (!statSync(answer, { throwIfNoEntry: false })?.isFile()) return `names no file: ${answer}`;
  try {
    readLogo(answer);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

export const QUESTIONS: readonly Question[] = [
  { option: 'name', text: 'Name in texts and mails', example: 'Nordlicht', ...ofCompany('name') },
  {
    option: 'legal-name',
    text: 'Name in the commercial register',
    example: 'Nordlicht Systems GmbH',
    ...ofCompany('legalName'),
  },
  { option: 'site', text: 'Address of the site', example: 'https://nordlicht.de', ...ofCompany('host') },
  { option: 'language', text: 'Language of the site', example: 'de-DE', ...ofCompany('language') },
  { option: 'email', text: 'Mailbox of enquiries', example: 'info@nordlicht.de', ...ofCompany('email') },
  {
    option: 'careers-email',
    text: 'Mailbox of applications',
    example: 'jobs@nordlicht.de',
    ...ofCompany('careersEmail'),
  },
  { option: 'phone', text: 'Phone with its country code', example: '+49 40 5550 0123', ...ofCompany('phone') },
  {
    option: 'office',
    text: 'Head office: street, postal code, town, country in English',
    example: 'Hafenstr. 1, 20457, Hamburg, Germany',
    mistake: wrongOffice,
  },
  {
    option: 'colour',
    text: 'Main colour',
    example: '#0a7d5a',
    path: 'colours.signal.light',
    mistake: bySchema(brandFile, 'colours.signal.light'),
  },
  {
    option: 'smtp-url',
    text: 'Mail server, empty for none yet (SMTP_URL, docs/install.md)',
    example: 'smtps://user%40nordlicht.de:password@smtp.nordlicht.de:465',
    isSecret: true,
    mistake: bySettings('SMTP_URL'),
  },
  {
    option: 'mail-from',
    text: 'Sender of all mails [user of the mail server, or no-reply@ of the site]',
    example: 'website@nordlicht.de',
    isOptional: true,
    mistake: bySettings('MAIL_FROM'),
  },
  {
    option: 'logo',
    text: 'File to copy to images/logo.svg',
    example: 'logo.svg',
    isOptional: true,
    mistake: wrongLogo,
  },
];
