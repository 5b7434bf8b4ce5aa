import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const FRONTEND = join(import.meta.dirname, '../..');

/** A module's exports as a build with these variables sees them: Vite's own, in a process of its own. */
function builtWith(variables: Readonly<Record<string, string>>, module: string): unknown {
  const program = `
    import { loadConfigFromFile, runnerImport } from 'vite';
    const { config } = await loadConfigFromFile({ command: 'build', mode: 'production' });
    const { module } = await runnerImport(process.argv[1], { configFile: false, envPrefix: config.envPrefix, logLevel: 'error' });
    console.log(JSON.stringify(module));`;
  const env = { ...process.env, NODE_OPTIONS: '', ...variables };
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', program, module], {
      cwd: FRONTEND,
      env,
      encoding: 'utf8',
    }),
  );
}

test('the inboxes and the host are those of the variables, everywhere', () => {
  const variables = {
    SITE_URL: 'https://firm.example/',
    SALES_INBOX: 'sales@firm.example',
    HR_INBOX: 'jobs@firm.example',
  };
  const built = builtWith(variables, './src/content/company.ts');
  expect(built).toMatchObject({
    company: { host: 'https://firm.example', email: 'sales@firm.example', careersEmail: 'jobs@firm.example' },
  });
  expect(JSON.stringify(built)).not.toContain('@kitewright.example');
});

test.each([
  ['', '30 days after delivery'],
  ['90', '90 days after delivery'],
  ['1', '1 day after delivery'],
])('the privacy policy states RETENTION_DAYS=%s', (days, words) => {
  expect(JSON.stringify(builtWith({ RETENTION_DAYS: days }, './src/content/pages/privacy.ts'))).toContain(` ${words}.`);
});
