import { existsSync, readFileSync } from 'node:fs';
import { unknownRecipients } from '../../form-service/src/submissions/recipients.ts';
import { placeholdersIn, readSettings } from '../../form-service/src/settings/settings.ts';
import { readArguments } from '../usage.ts';
import { settingsMistakes, unknownNames } from './settings.ts';

/**
 * `npm run config:check`: prints every mistake in `.env` and the environment by variable name, and exits with 1 if there
 * is one. Values of .env.example only cause a warning, because `npm start` works with them.
 */
readArguments('npm run config:check checks .env and the environment. It takes no arguments.', {});
const envFile = existsSync('.env') ? readFileSync('.env', 'utf8') : '';
const wrong = [...settingsMistakes(process.env), ...unknownNames(envFile)];
// Only this command rejects unknown recipients: a position that was filled must not prevent the service from starting.
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
