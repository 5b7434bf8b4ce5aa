import { SETTING_NAMES } from '../../form-service/src/settings/settings.ts';

/** Variables that only the stack reads. */
const STACK_NAMES = ['HOST', 'TRUSTED_PROXIES'];

/**
 * Clears the settings of the person who runs the tests, so that tests send no alerts to their addresses. An empty variable
 * counts as unset.
 */
export const CLEAN_ENVIRONMENT: Readonly<Record<string, string>> = Object.fromEntries(
  [...STACK_NAMES, ...SETTING_NAMES.flatMap((name) => [name, `${name}_FILE`])].map((name) => [name, '']),
);
