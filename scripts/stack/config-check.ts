import { settingsMistakes } from './settings.ts';

/** `npm run config:check`: every mistake in `.env` and the environment, by the variable's name; exit code 1 when there is one. */
const mistakes = settingsMistakes(process.env);

if (mistakes.length === 0) process.stdout.write('The settings are valid.\n');
else process.stderr.write(`Wrong settings:\n${mistakes.map((mistake) => `  ${mistake}\n`).join('')}`);
process.exitCode = mistakes.length === 0 ? 0 : 1;
