import { unknownRecipients } from '../../form-service/src/config/recipients.ts';
import { placeholdersIn, readSettings } from '../../form-service/src/config/settings.ts';
import { settingsMistakes } from './settings.ts';

/**
 * `npm run config:check`: every mistake in `.env` and the environment, by the variable's name; exit code 1 when there is
 * one. What is valid and still the example's is a warning, since `npm start` catches the mails of a trial.
 */
const wrong = settingsMistakes(process.env);
// A position that was filled must not keep the service from starting, so only this command is strict about names.
const mistakes = wrong.length > 0 ? wrong : unknownRecipients(readSettings());

if (mistakes.length > 0) {
  process.stderr.write(`Wrong settings:\n${mistakes.map((mistake) => `  ${mistake}\n`).join('')}`);
  process.exitCode = 1;
} else {
  process.stdout.write('The settings are valid.\n');
  const warnings = placeholdersIn(readSettings(), { NODE_ENV: 'production' });
  if (warnings.length > 0)
    process.stderr.write(`Before production:\n${warnings.map((warning) => `  ${warning}.\n`).join('')}`);
}
