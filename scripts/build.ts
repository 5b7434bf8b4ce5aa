import { contentReport } from './stack/content.ts';
import { buildChanged } from './stack/build.ts';
import { messageOf } from './stack/start-error.ts';
import { readArguments } from './usage.ts';

/** `npm run build`: builds the form service and the site, if their inputs have changed. */
readArguments('Builds the form service and the site into their dist folders, if their inputs have changed.', {});
try {
  await buildChanged(process.cwd());
  process.stderr.write(await contentReport(process.cwd()));
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
