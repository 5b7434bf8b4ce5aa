/** Shown to HR beside the attachment. None of them is a reason to refuse a file: honest documents have them too. */
export const MACROS = 'The document contains macros: open it with macros switched off.';
export const SCRIPTS = 'The PDF contains scripts: open it in a browser, or with JavaScript switched off.';
export const LAUNCHES = 'The PDF asks to start other programs or open files: do not allow it.';
export const ENCLOSES = 'The PDF has other files inside: do not open them.';
