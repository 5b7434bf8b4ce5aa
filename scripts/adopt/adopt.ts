import {
  cpSync,
  existsSync,
  globSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import { execaSync } from 'execa';
import { parseDocument } from 'yaml';
import { CONTENT_NAME } from '../../form-service/src/contract/content-folder.ts';
import { envFileFindings } from '../../form-service/src/doctor/env-file.ts';
import { sentences } from '../../form-service/src/doctor/finding.ts';
import { LOGO } from '../../frontend/builder/content/brand-mistakes.ts';
import { CONTENT } from '../../frontend/builder/paths.ts';
import { makeTemporaryFolder } from '../checks/temporary-folder.ts';
import { settingsMistakes } from '../stack/settings.ts';
import { companyValues, translatedPosition, valuesOfBrand, variablesOf, type Answers } from './answers.ts';
import { setVariables } from './env-values.ts';
import { QUESTIONS, type Question } from './questions.ts';
import { Terminal } from './terminal.ts';
import { setYamlValues } from './yaml-values.ts';

/** Prints mistakes and reminders of the content, as the build does. */
const REPORT = join(import.meta.dirname, '../../frontend/builder/content/report.ts');

/**
 * `npm run adopt`: asks for the facts of a company, or takes them as options, and writes company.yaml, brand.yaml, the logo,
 * the countries of positions and `.env`. Everything is checked before anything is written, so a mistake or Ctrl-C changes no file.
 */
const ENV = '.env';
const COMPANY = 'company.yaml';
const BRAND = 'brand.yaml';

/** Exit code of a program that Ctrl-C ended. */
const INTERRUPTED = 130;

const HELP = `Usage: npm run adopt -- [OPTIONS]

Writes the facts of your company into ${CONTENT_NAME} and .env. In a terminal it asks for those that no option
gives. Enter keeps the value in brackets.

${QUESTIONS.map(({ option, text, example }) => `  --${option.padEnd(15)}${text}:\n${' '.repeat(19)}'${example}'`).join('\n')}
  --replace        replace values that .env has, without asking
  --help           print this

A shell keeps a history of its commands: let the terminal ask for an --smtp-url with a password.
`;

/** A reason to write nothing. */
class Refusal extends Error {}

function refuse(message: string): never {
  throw new Refusal(message);
}

interface Texts extends Readonly<Record<string, string>> {
  readonly [COMPANY]: string;
  readonly [BRAND]: string;
  readonly [LOGO]: string;
}

async function adopt(): Promise<void> {
  const { answers: given, isReplacing, isHelp } = optionsOf(process.argv.slice(2));
  if (isHelp) return void process.stdout.write(HELP);
  const terminal = process.stdin.isTTY ? new Terminal(interrupted) : undefined;
  if (!terminal && Object.keys(given).length === 0)
    refuse('There is no terminal to ask in. Give the facts as options: npm run adopt -- --help lists them.');
  const positions = globSync('jobs/*.md', { cwd: CONTENT }).map((file) => [file, read(file)] as const);
  const before: Texts = {
    ...Object.fromEntries(positions),
    [COMPANY]: read(COMPANY),
    [BRAND]: read(BRAND),
    [LOGO]: read(LOGO),
  };
  const env = existsSync(ENV) ? readFileSync(ENV, 'utf8') : '';
  const answers = terminal ? { ...given, ...(await ask(terminal, given, before)) } : given;
  const current = parseEnv(env);
  const variables = new Map<string, string>();
  for (const [name, value] of variablesOf(answers, current))
    if (isReplacing || (await mayWrite(name, value, current, terminal))) variables.set(name, value);
  terminal?.close();

  const after: Texts = {
    ...Object.fromEntries(positions.map(([file, text]) => [file, translatedPosition(text, answers)])),
    [COMPANY]: setYamlValues(before[COMPANY], companyValues(before[COMPANY], answers)),
    [BRAND]: setYamlValues(before[BRAND], valuesOfBrand(before[BRAND], answers)),
    [LOGO]: answers.logo ? readFileSync(answers.logo, 'utf8') : before[LOGO],
  };
  const newEnv = setVariables(env, variables);
  const reminders = check(after, newEnv);
  write(before, after, env, newEnv);
  if (answers.colour && !after[BRAND].includes(`light: '${answers.colour}'`))
    say(`${answers.colour} is hard to read on white, so brand.yaml has its nearest shades that are not.`);
  if (reminders.length > 0) say('Still to write:', ...reminders.map((one) => `  ${one}`));
  say('Next: npm run dev shows the site, and docs/adopt.md goes on with step 3.');
}

const say = (...lines: readonly string[]) => void process.stdout.write(`${lines.join('\n')}\n`);

function interrupted(): never {
  process.stdout.write('\nNothing was written.\n');
  process.exit(INTERRUPTED);
}

const read = (file: string) => readFileSync(join(CONTENT, file), 'utf8');

function optionsOf(args: string[]) {
  const values = parsed(args);
  const answers: Record<string, string> = {};
  const mistakes: string[] = [];
  for (const question of QUESTIONS) {
    const value = values[question.option];
    if (typeof value !== 'string') continue;
    answers[question.option] = tidied(value);
    const mistake = mistakeIn(question, tidied(value));
    if (mistake) mistakes.push(`--${question.option} ${mistake}`);
  }
  if (mistakes.length > 0) refuse(mistakes.join('\n'));
  return { answers, isReplacing: values.replace === true, isHelp: values.help === true };
}

function parsed(args: string[]): Readonly<Record<string, string | boolean | undefined>> {
  const texts = Object.fromEntries(QUESTIONS.map(({ option }) => [option, { type: 'string' as const }]));
  try {
    return parseArgs({ args, options: { ...texts, replace: { type: 'boolean' }, help: { type: 'boolean' } } }).values;
  } catch (error) {
    return refuse(`${(error as Error).message}. npm run adopt -- --help lists the options.`);
  }
}

/** Addresses of sites need no slash at their end. */
const tidied = (answer: string) => answer.trim().replace(/^(https?:\/\/[^/]+)\/$/, '$1');

function mistakeIn({ mistake }: Question, answer: string): string | undefined {
  if (!answer) return 'needs a value';
  // Control characters would end a line of the file.
  return /\p{Cc}/u.test(answer) ? 'must be one line' : mistake(answer);
}

/** Asks for the facts that no option gives. An empty answer keeps what the files have. */
async function ask(terminal: Terminal, given: Answers, texts: Texts): Promise<Answers> {
  const documents = [parseDocument(texts[COMPANY], { schema: 'failsafe' }), parseDocument(texts[BRAND])];
  const questions = QUESTIONS.filter(({ isOptional, option }) => !isOptional && given[option] === undefined);
  const answers: Record<string, string> = {};
  for (const [index, question] of questions.entries()) {
    const path = question.path?.split('.') ?? [];
    const now =
      path.length > 0 ? documents.map((one) => one.getIn(path)).find((value) => value !== undefined) : undefined;
    const text = `${index + 1}/${questions.length} ${question.text}, such as ${question.example}\n  ${now === undefined ? '' : `[${String(now)}] `}> `;
    for (;;) {
      const answer = tidied(await (question.isSecret ? terminal.askSecretly(text) : terminal.ask(text)));
      const mistake = answer && mistakeIn(question, answer);
      if (answer && !mistake) answers[question.option] = answer;
      if (!mistake) break;
      process.stdout.write(`  It ${mistake}.\n`);
    }
  }
  return answers;
}

/** Whether a variable may be written: `.env` does not have it, or the user agrees. */
async function mayWrite(name: string, value: string, current: Answers, terminal: Terminal | undefined) {
  const isSet = Boolean(current[name] || current[`${name}_FILE`]);
  if (!isSet || current[name] === value) return !isSet;
  const isReplaced = terminal && /^y(es)?$/i.test(await terminal.ask(`.env has another ${name}. Replace it? [y/N] `));
  if (!isReplaced) process.stdout.write(`Kept ${name} of .env${terminal ? '' : ': --replace writes the new one'}.\n`);
  return isReplaced === true;
}

/**
 * Checks the new files as the build does, and the new `.env` as `npm run config:check` does.
 *
 * @returns the reminders of the content
 */
function check(texts: Texts, env: string): readonly string[] {
  const settings = { ...process.env, ...parseEnv(env) };
  const folder = makeTemporaryFolder();
  cpSync(CONTENT, folder, { recursive: true });
  for (const [file, text] of Object.entries(texts)) writeFileSync(join(folder, file), text);
  // In a process of its own, which reads the new language.
  const variables = { ...settings, CONTENT: folder, GITHUB_ACTIONS: '' };
  const { stdout, exitCode } = execaSync(process.execPath, [REPORT], { env: variables, reject: false });
  rmSync(folder, { recursive: true });
  const lines = stdout.split('\n').filter(Boolean);
  // Mistakes of other files are not of this command, and the build names them.
  const isOwn = (line: string) => [COMPANY, BRAND, LOGO].some((file) => line.startsWith(`content/${file}:`));
  const mistakes = exitCode === 0 ? [] : lines.filter(isOwn);
  const names = [...envFileFindings(env)].filter(({ status }) => status === 'down');
  mistakes.push(...names.map(({ about, cause = '', advice = '' }) => `${about}: ${sentences(cause, advice)}`));
  mistakes.push(...settingsMistakes(settings));
  if (mistakes.length > 0) refuse(mistakes.join('\n'));
  return exitCode === 0 ? lines : [];
}

function write(before: Texts, after: Texts, env: string, newEnv: string): void {
  const changed = Object.entries(after).filter(([file, text]) => text !== before[file]);
  // Ctrl-C waits until all files are written, so that they fit together.
  process.on('SIGINT', () => {});
  for (const [file, text] of changed) replaceFile(join(CONTENT, file), text);
  if (newEnv !== env) replaceFile(ENV, newEnv, 0o600);
  const names = [...changed.map(([file]) => `${CONTENT_NAME}/${file}`), ...(newEnv === env ? [] : [ENV])];
  say(names.length > 0 ? `Changed: ${names.join(', ')}` : 'Nothing to change: the files have these facts.');
}

/** Atomic write: a reader and a power cut see the old text or the new one. */
function replaceFile(file: string, text: string, mode?: number): void {
  const target = existsSync(file) ? realpathSync(file) : file;
  const unfinished = `${target}.new`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, text, { mode: mode ?? statSync(target).mode, flush: true });
  renameSync(unfinished, target);
}

try {
  await adopt();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\nNothing was written.\n`);
  process.exitCode = 1;
}
