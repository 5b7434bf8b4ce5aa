import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { fill, isWanted, matrixOf, readWorkflows, type Contexts, type Step, type Values } from './workflow.ts';

/** Programs of GitHub's machine that change it or reach the network. Each prints its arguments. */
const PROGRAMS = {
  sudo: 'echo "sudo $*"',
  cosign: 'echo "cosign $*"',
  // Creates one folder for each artifact.
  gh: `if [ "$1 $2" = "run download" ]; then cp -R "$ARTIFACTS" "$7"; else for file; do :; done; cat "$file"; fi
echo "gh $1 $2 $3"`,
};

/** Digest of the stand-in for the registry. */
export const DIGEST = `sha256:${'0'.repeat(64)}`;

/** Result of a step. */
export interface Ran {
  readonly job: string;
  /** Text of `run`, or the name of the action. */
  readonly what: string;
  /** Last line of the output, or of what the step hands on. */
  readonly last: string;
}

type Outputs = Readonly<Record<string, string>>;

/** Runs workflows with bash as GitHub does. Programs and actions that need GitHub or a registry have a stand-in. */
export class DryRun {
  readonly ran: Ran[] = [];
  readonly #folder: string;
  readonly #checkout: string;
  readonly #github: Values;
  readonly #notRun: ReadonlySet<string>;

  /**
   * @param folder empty folder for programs, artifacts and jobs
   * @param checkout work tree that `actions/checkout` copies
   * @param notRun texts of `run` that are left out
   */
  constructor(folder: string, checkout: string, github: Values, notRun: Iterable<string>) {
    this.#folder = folder;
    this.#checkout = checkout;
    this.#github = github;
    this.#notRun = new Set(notRun);
    for (const name of ['programs', 'artifacts']) mkdirSync(join(folder, name));
    for (const [name, text] of Object.entries(PROGRAMS))
      writeFileSync(join(folder, 'programs', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }

  /** Runs the jobs whose condition holds and whose needed jobs have succeeded. Returns whether none has failed. */
  workflow(file: string): boolean {
    const jobs = readWorkflows()[file]?.jobs ?? {};
    const needs: Record<string, { readonly outputs: Outputs }> = {};
    let isGood = true;
    for (const [name, job] of Object.entries(jobs)) {
      const contexts = { github: this.#github, needs };
      if (![job.needs ?? []].flat().every((needed) => needed in needs) || !isWanted(job, contexts)) continue;
      try {
        let outputs: Outputs = {};
        if (job.uses !== undefined && !this.workflow(basename(job.uses))) throw new Error(`${job.uses} has failed`);
        for (const [at, matrix] of matrixOf(job, contexts).entries()) {
          const steps = this.#steps(name, at, job.steps ?? [], { ...contexts, matrix });
          const filled = Object.entries(job.outputs ?? {}).map(([key, text]) => [
            key,
            fill(text, { ...contexts, steps }),
          ]);
          outputs = Object.fromEntries(filled) as Outputs;
        }
        needs[name] = { outputs };
      } catch (error) {
        isGood = false;
        this.ran.push({ job: name, what: 'failed', last: String(error) });
      }
    }
    return isGood;
  }

  #steps(
    job: string,
    at: number,
    steps: readonly Step[],
    contexts: Contexts,
  ): Readonly<Record<string, { outputs: Outputs }>> {
    const folder = join(this.#folder, `${job}-${at}`);
    mkdirSync(folder);
    const done: Record<string, { outputs: Outputs }> = {};
    for (const step of steps) {
      const known = { ...contexts, steps: done };
      if (!isWanted(step, known) || this.#notRun.has(step.run?.trim() ?? '')) continue;
      const { last, outputs } =
        step.run === undefined ? this.#action(step, folder, known) : this.#run(step, folder, known);
      this.ran.push({ job, what: step.name ?? step.run ?? step.uses?.replace(/@.*/, '') ?? '', last });
      if (step.id !== undefined) done[step.id] = { outputs };
    }
    return done;
  }

  #run({ run = '', env = {} }: Step, cwd: string, contexts: Contexts): { last: string; outputs: Outputs } {
    const output = join(this.#folder, 'output');
    writeFileSync(output, '');
    const { ref, sha, repository } = this.#github as Outputs;
    const { stdout, stderr, status } = spawnSync('bash', ['-e', '-c', fill(run, contexts)], {
      cwd,
      encoding: 'utf8',
      env: {
        PATH: [join(this.#folder, 'programs'), process.env.PATH].join(delimiter),
        ARTIFACTS: join(this.#folder, 'artifacts'),
        GITHUB_OUTPUT: output,
        GITHUB_REF_NAME: ref?.replace(/^refs\/\w+\//, ''),
        GITHUB_REPOSITORY: repository,
        GITHUB_RUN_ID: '1',
        GITHUB_SHA: sha,
        ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value, contexts)])),
      },
    });
    if (status !== 0) throw new Error(`${run}: exit code ${status}\n${stdout}${stderr}`);
    const written = readFileSync(output, 'utf8').trim().split('\n').filter(Boolean);
    const last = stdout.trim().split('\n').at(-1) || written.at(-1) || '';
    return { last, outputs: Object.fromEntries(written.map((line) => line.split(/=(.*)/s).slice(0, 2))) as Outputs };
  }

  /** Stand-ins for actions. One without a stand-in only has its inputs filled in. */
  #action(
    { uses = '', with: inputs = {} }: Step,
    folder: string,
    contexts: Contexts,
  ): { last: string; outputs: Outputs } {
    const given = Object.fromEntries(
      Object.entries(inputs).map(([name, value]) => [name, fill(String(value), contexts)]),
    );
    const { file = '', target, name = '', path = '', tags = '' } = given;
    const version = given['node-version-file'];
    if (uses.startsWith('actions/checkout@')) cpSync(this.#checkout, folder, { recursive: true });
    if (version !== undefined) readFileSync(join(folder, version));
    if (uses.startsWith('actions/upload-artifact@')) {
      mkdirSync(join(this.#folder, 'artifacts', name));
      cpSync(join(folder, path), join(this.#folder, 'artifacts', name, path));
    }
    if (!uses.startsWith('docker/build-push-action@')) return { last: '', outputs: {} };
    const hasStage = new RegExp(`^FROM .* AS ${target}$`, 'm').test(readFileSync(join(folder, file), 'utf8'));
    if (target && !hasStage) throw new Error(`${file} has no stage ${target}`);
    return { last: tags, outputs: { digest: DIGEST } };
  }
}
