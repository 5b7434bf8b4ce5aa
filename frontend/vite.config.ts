import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { brandStyles } from './builder/brand.ts';
import { content } from './builder/content/plugin.ts';
import { forms } from './builder/forms.ts';
import { iconSet } from './builder/icons.ts';
import { images } from './builder/image-files.ts';
import { prerender } from './builder/prerender.ts';

// Builds are always for production: a test runner's NODE_ENV would include React's development code.
if (process.argv.includes('build')) process.env.NODE_ENV = 'production';

const api = process.env.API_URL ?? 'http://127.0.0.1:3000';

export default defineConfig({
  // Tailwind's own optimization is for older browsers than `cssTarget`, and would duplicate many rules.
  plugins: [content(), brandStyles(), tailwindcss({ optimize: false }), forms(), iconSet(), images(), prerender()],
  // Browsers of mid 2024 and later support light-dark(), @property and nested rules.
  build: {
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    // How long plugins took would stand between the mistakes of a build that fails.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  envPrefix: ['SITE_URL', 'ANALYTICS_URL', 'SALES_INBOX', 'HR_INBOX', 'RETENTION_DAYS'],
  server: {
    proxy: { '/api': api },
    // Many editors empty a file before they write it. Vite would keep the empty module.
    watch: { awaitWriteFinish: { stabilityThreshold: 50, pollInterval: 10 } },
  },
});
