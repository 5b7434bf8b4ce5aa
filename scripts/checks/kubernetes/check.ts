import { countOne, type Count } from '../count.ts';
import { offerKustomize } from './kustomize.ts';
import { buildOverlays, manifestProblems } from './problems.ts';

/** Builds every overlay and says what is wrong with it. */
export function checkManifests(): Count {
  const kustomize = offerKustomize();
  if (kustomize === undefined) return { passed: 0, failed: 0, skipped: 1 };
  const problems = manifestProblems(buildOverlays(kustomize));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  return countOne(problems.length === 0);
}
