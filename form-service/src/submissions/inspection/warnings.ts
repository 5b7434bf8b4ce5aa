/** Shown to HR beside the attachment. */
export const MACROS = 'The document contains macros: open it with macros switched off.';
