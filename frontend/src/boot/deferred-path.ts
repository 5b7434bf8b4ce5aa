/**
 * Script that the boot loads after the first paint. The build puts the address of the built file in its place. The import
 * must not be a literal, which Vite would wrap in code of its own.
 */
export const DEFERRED = '/src/boot/deferred.ts';
