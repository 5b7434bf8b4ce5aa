import { loadContent } from './frontend/build/content/load-content.ts';
try { const c = loadContent('/tmp/de_content'); for (const r of c.reminders) console.log(`${r.severity} ${r.file}:${r.line} ${r.message}`); console.log(c.pages.length,'pages'); }
catch (e) { console.log(e.message, JSON.stringify(e.findings ?? '').slice(0,200)); }
