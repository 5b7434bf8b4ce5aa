import { readSettings as readServiceSettings, SettingsError } from '../../form-service/src/config/settings.ts';
import { readSettings, type Environment } from './settings.ts';
import { WrongSettings } from './start-error.ts';

/** Every mistake in the settings of the stack and of the service: each variable once, never a value. Empty when all is well. */
export function settingsMistakes(env: Environment, root: string): string[] {
  return [() => readSettings(env, root), () => readServiceSettings(env)].flatMap(mistakesOf);
}

function mistakesOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof WrongSettings || error instanceof SettingsError) return error.mistakes;
    throw error;
  }
}
