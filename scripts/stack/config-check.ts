import { readSettings as readServiceSettings, SettingsError } from '../../form-service/src/config/env.ts';
import { readSettings } from './settings.ts';
import { StartError } from './start-error.ts';

/** `npm run config:check`: every mistake in `.env` and the environment, by the variable's name; exit code 1 when there is one. */
const mistakes = [() => readSettings(process.env, process.cwd()), () => readServiceSettings()].flatMap(mistakeOf);

if (mistakes.length === 0) process.stdout.write('The settings are valid.\n');
else process.stderr.write(`${mistakes.join('\n')}\n`);
process.exitCode = mistakes.length === 0 ? 0 : 1;

function mistakeOf(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof StartError || error instanceof SettingsError) return [error.message];
    throw error;
  }
}
