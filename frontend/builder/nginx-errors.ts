import { LOCALE } from '../../form-service/src/contract/locale.ts';
import { messages } from '../../form-service/src/contract/messages.ts';
import { words } from '../../form-service/src/contract/service-words.ts';
import { escapeHtml } from '../src/components/ui/escape-html.ts';

const OWN = { ...words, fileTooLarge: messages.resumeTooLarge };

/** Returns a text as a value of a map, in which nginx would take `$` for the beginning of a variable. */
const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll('$', '${dollar}')}"`;

const ESCAPES = {
  text: (text: string) => text,
  json: (text: string) => JSON.stringify(text).slice(1, -1),
  html: (text: string) => escapeHtml(text).replaceAll("'", '&#39;'),
};

/** Returns the words of nginx's own errors as variables: the message in each format, and the words of the page around it. */
export function errorTexts({
  errors,
  plainPages,
  fileTooLarge,
}: Pick<typeof OWN, 'errors' | 'plainPages' | 'fileTooLarge'> = OWN): string {
  const { server } = errors;
  const messages = {
    '"~^400 "': server.unreadable,
    '"~^403 "': server.forbidden,
    '"~^404 "': errors.notFound,
    '"~^405 "': server.method,
    '"413 file"': fileTooLarge,
    '"~^412 "': server.changed,
    '"~^413 "': server.tooLarge,
    '"~^414 "': server.longAddress,
    '"~^429 "': errors.tooManyRequests,
    '"~^431 "': server.longHeaders,
    '"~^50[34] "': server.unavailable,
    default: errors.internal,
  };
  const around = { language: LOCALE, failed: server.failed, back: plainPages.goBack };
  return [
    'geo $dollar { default "$"; }',
    ...Object.entries(ESCAPES).flatMap(([format, escape]) => [
      `map "$status $error_scope" $error_${format} {`,
      ...Object.entries(messages).map(([key, text]) => `  ${key} ${quoted(escape(text))};`),
      '}',
    ]),
    ...Object.entries(around).map(([name, text]) => `map "" $word_${name} { default ${quoted(ESCAPES.html(text))}; }`),
    '',
  ].join('\n');
}
