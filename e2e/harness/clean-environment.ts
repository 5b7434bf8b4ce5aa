import { SETTING_NAMES } from '../../form-service/src/config/settings.ts';

/** What only the stack around the service reads. */
const OF_THE_STACK = ['HOST', 'TRUSTED_PROXIES', 'TLS_CERTIFICATE', 'TLS_CERTIFICATE_KEY'];

/**
 * Nothing of what the person running the tests has set for their own stack, whose alarms and canaries must not come from
 * here: an empty variable counts as one that is not set.
 */
export const CLEAN_ENVIRONMENT: Readonly<Record<string, string>> = Object.fromEntries(
  [...OF_THE_STACK, ...SETTING_NAMES.flatMap((name) => [name, `${name}_FILE`])].map((name) => [name, '']),
);
