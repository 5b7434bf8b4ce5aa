import { iconShapes } from '../../builder/icons.ts';

/** Replaces the `virtual:icons` of the renderer, which only Vite provides. */
export const requested = new Set<string>();
export default new Proxy({}, { get: (_, name: string) => (requested.add(name), iconShapes(name)) });
