import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { findProgram } from '../stack/programs.ts';
import { makeTemporaryFolder } from '../checks/temporary-folder.ts';

const PROGRAM = resolve('adopt/adopt.ts');
const FACTS = {
  name: 'Nordlicht',
  'legal-name': 'Nordlicht Systems GmbH',
  site: 'https://nordlicht.example/',
  language: 'de-DE',
  email: 'info@nordlicht.example',
  'careers-email': 'jobs@nordlicht.example',
  phone: '+49 40 5550 0123',
  office: 'Hafenstr. 1, 20457, Hamburg, Germany',
  colour: '#0b4f7d',
  'smtp-url': 'smtps://web%40nordlicht.example:secret$1@smtp.nordlicht.example:465',
};
/** Ctrl-D. */
const END = '\u0004';
type Facts = Readonly<Record<string, string>>;
const optionsOf = (facts: Facts) => Object.entries(facts).flatMap(([name, value]) => [`--${name}`, value]);

function adopter() {
  const folder = makeTemporaryFolder();
  const content = join(folder, 'content');
  cpSync(resolve('../frontend/content'), content, { recursive: true });
  const program = ['--disable-warning=ExperimentalWarning', PROGRAM];
  const how = { cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH, CONTENT: content } } as const;
  const at = (file: string) => join(file === '.env' ? folder : content, file);
  return {
    at,
    read: (file: string) => readFileSync(at(file), 'utf8'),
    run: (...args: string[]) => spawnSync(process.execPath, [...program, ...args], { ...how, input: '' }),
    /** Types an answer at each prompt of a pseudo terminal. */
    async type(answers: readonly string[]) {
      let typed = 0;
      const child = spawn('script', ['-qec', [process.execPath, ...program].join(' '), '/dev/null'], how);
      let stdout = '';
      child.stdout.on('data', (chunk: Buffer) => {
        stdout += chunk.toString();
        // One answer for each prompt, of which the terminal shows parts one by one.
        const prompts = stdout.split('> ').length - 1;
        for (; typed < prompts; typed += 1) child.stdin.write(answers[typed] ?? END);
      });
      const [status] = (await once(child, 'close')) as [number];
      return { status, stdout };
    },
    files: () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort(),
  };
}

test('writes the facts of the options, and nothing when it runs again', () => {
  const { run, at, read, files } = adopter();
  writeFileSync(at('jobs/tester.md'), '---\ntitle: Tester\ncountry: India\n---\n');
  const before = files();
  appendFileSync(at('company.yaml'), '# A remark at the end.\n');
  const { status, stdout, stderr } = run(...optionsOf(FACTS));
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).not.toContain('secret');
  expect(read('company.yaml')).toMatch(/^name: Nordlicht\n[^]*^language: de-DE\nhost: https:\/\/nordlicht\.example\n/m);
  expect(read('company.yaml')).toMatch(/^ +country: Deutschland$/m);
  expect(read('jobs/tester.md')).toMatch(/^country: Indien$/m);
  expect(read('company.yaml')).toMatch(/# A remark at the end\.\n$/);
  expect(read('brand.yaml')).toMatch(/^motif: none$[^]*signal: \{ light: '#0b4f7d'/m);
  expect(read('.env')).toBe(
    `SITE_URL=https://nordlicht.example\nSMTP_URL='${FACTS['smtp-url']}'\nMAIL_FROM=web@nordlicht.example\n`,
  );
  expect(statSync(at('.env')).mode & 0o777).toBe(0o600);
  expect(files()).toEqual(['.env', ...before]);
  const written = ['company.yaml', 'brand.yaml', '.env'].map(read);
  expect(run(...optionsOf(FACTS))).toMatchObject({ stdout: expect.stringMatching(/^Nothing to change/), stderr: '' });
  expect(['company.yaml', 'brand.yaml', '.env'].map(read)).toEqual(written);
});

test('keeps what .env has, unless it may replace it', () => {
  const { run, at, read } = adopter();
  writeFileSync(at('.env'), '# Ours.\nSMTP_URL=smtps://old.example\nMAIL_FROM=old@old.example\n', { mode: 0o644 });
  const args = optionsOf({ 'smtp-url': 'smtps://new.example', site: FACTS.site });
  expect(run(...args).stdout).toMatch(/^Kept SMTP_URL/);
  const kept = '# Ours.\nSMTP_URL=smtps://old.example\nMAIL_FROM=old@old.example\nSITE_URL=https://nordlicht.example\n';
  expect(read('.env')).toBe(kept);
  expect(statSync(at('.env')).mode & 0o777).toBe(0o600);
  run('--replace', ...args);
  expect(read('.env')).toBe(kept.replace('old.example\nM', 'new.example\nM'));
});

test('names every mistake of the options, and writes nothing', () => {
  const { run, read, at } = adopter();
  const before = read('company.yaml');
  const wrong = { name: '', site: 'nordlicht.de', language: 'german', email: 'x', phone: 'none', office: 'a, b' };
  const others = { colour: 'red', 'smtp-url': 'http://x', 'mail-from': 'x', logo: '/missing.svg' };
  const { status, stderr } = run(...optionsOf({ ...wrong, ...others, 'legal-name': 'A\nB', 'careers-email': 'y' }));
  expect(status).toBe(1);
  expect(stderr.match(/^--[\w-]+ \S+/gm)).toHaveLength(12);
  expect(stderr).toMatch(/Nothing was written\.\n$/);
  const malformed = { site: 'https://nord licht.de', 'smtp-url': 'smtps://user:100%@nordlicht.de', logo: '/tmp' };
  for (const [name, value] of Object.entries(malformed))
    expect(run(`--${name}`, value).stderr).toMatch(
      new RegExp(`^--${name} (?:must|names) .*\nNothing was written\\.\n$`),
    );
  expect(run('--nam', 'x').stderr).toMatch(/'--nam'[^]*--help lists the options/);
  expect(run().stderr).toContain('no terminal');
  expect(read('company.yaml')).toBe(before);
  expect(existsSync(at('.env'))).toBe(false);
});

test('refuses what the checks of the build and of the settings refuse', () => {
  const { run, at, read } = adopter();
  writeFileSync(at('.env'), 'PORT=x\n');
  appendFileSync(at('company.yaml'), 'colour: red\n');
  const before = read('company.yaml');
  const { status, stderr } = run('--name', 'Nordlicht');
  expect(status).toBe(1);
  expect(stderr).toMatch(/content\/company\.yaml:\d+: colour is no field here[^]*PORT must be/);
  expect(read('company.yaml')).toBe(before);
});

const terminalTest = findProgram('script') && process.platform === 'linux' ? test : test.skip;

terminalTest('asks in a terminal, again after a mistake, and shows no secret', async () => {
  const { type, read } = adopter();
  const [legalName = ''] = /^legalName: .*/m.exec(read('company.yaml')) ?? [];
  const answers = Object.values({ ...FACTS, 'legal-name': '' });
  answers.splice(4, 0, 'x');
  const { stdout } = await type(answers.map((answer) => `${answer}\r`));
  expect(stdout).toMatch(/It must be an e-mail address\.[^]*Changed: /);
  expect(stdout).not.toContain('secret');
  expect(read('company.yaml')).toContain(`\nname: Nordlicht\n${legalName}\n`);
  expect(read('.env')).toContain('SMTP_URL=');
});

terminalTest('writes nothing if Ctrl-C ends the questions', async () => {
  const { type, read, at } = adopter();
  const before = read('company.yaml');
  const { stdout, status } = await type(['Nordlicht\r', 'Nordlicht GmbH\r', '\u0003']);
  expect({ status, stdout }).toEqual({ status: 130, stdout: expect.stringContaining('Nothing was written.') });
  expect(read('company.yaml')).toBe(before);
  expect(existsSync(at('.env'))).toBe(false);
});
