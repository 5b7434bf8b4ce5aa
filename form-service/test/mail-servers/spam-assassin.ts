import { spawnSync } from 'node:child_process';

/** One line of SpamAssassin's report: points and the name of a rule. */
const HIT = /^\s*(-?\d+\.\d+) ([A-Z0-9_]+) /gm;

/** Returns SpamAssassin's points by rule, without network tests. */
export function spamPoints(program: string, message: Buffer): ReadonlyMap<string, number> {
  const { stdout } = spawnSync(program, ['--local', '--test-mode'], { input: message, encoding: 'utf8' });
  const hits = [...stdout.matchAll(HIT)].map(([, points, rule]) => [String(rule), Number(points)] as const);
  if (hits.length === 0) throw new Error(`SpamAssassin printed no rules:\n${stdout.slice(-2_000)}`);
  return new Map(hits);
}
