import { createPublicKey } from 'node:crypto';
import type { DkimKey } from '../config/formats.ts';
import { down, OK, type CheckResult } from '../health/check.ts';
import type { Outside } from './outside-checks.ts';

type Resolve = Pick<Outside, 'resolveTxt'>;

export const checkSpf = (outside: Resolve, domain: string) => checkRecord(outside, [domain], 'v=spf1');

/**
 * Checks the DMARC record of a domain: its own, or that of a parent of at least two labels. The record of the
 * organizational domain applies to subdomains without one (RFC 7489, section 6.6.3).
 */
export function checkDmarc(outside: Resolve, domain: string): Promise<CheckResult> {
  const labels = domain.split('.');
  const parents = labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'));
  const names = [domain, ...parents].map((name) => `_dmarc.${name}`);
  return checkRecord(outside, names, 'v=DMARC1');
}

/** Checks that the public key of DKIM is published. */
export async function checkDkim(outside: Resolve, dkim: DkimKey): Promise<CheckResult> {
  const name = `${dkim.keySelector}._domainkey.${dkim.domainName}`;
  const key = createPublicKey(dkim.privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
  const published = (await textsOf(outside, name)).map((text) => /p=([^;]*)/.exec(text)?.[1]?.replace(/\s/g, ''));
  if (published.includes(key)) return OK;
  return down(`${name} does not publish the key of DKIM_PRIVATE_KEY`, `Set its TXT record to v=DKIM1; p=${key}`);
}

/** Checks the record by which receivers judge the sender, at the first of the names that has one. */
async function checkRecord(outside: Resolve, names: readonly string[], begin: string): Promise<CheckResult> {
  for (const name of names) {
    const { length } = (await textsOf(outside, name)).filter((text) => text.startsWith(begin));
    if (length === 1) return OK;
    if (length > 1) return down(`${name} has ${length} such TXT records, so receivers ignore all of them`);
  }
  return down(`${names[0]} has no TXT record that begins with ${begin}, so mails may count as spam`);
}

async function textsOf({ resolveTxt }: Resolve, name: string): Promise<string[]> {
  const records = await resolveTxt(name).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return [];
    throw new Error(`${name} cannot be looked up (${error.code ?? error.message})`);
  });
  return records.map((parts) => parts.join(''));
}
