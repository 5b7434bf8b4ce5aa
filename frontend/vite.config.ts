import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { content } from './build/content/plugin.ts';
import { iconSet } from './build/icons.ts';
import { images } from './build/image-files.ts';
import { prerender } from './build/prerender.ts';

// A build is for production whatever the caller's environment says: a test runner's would bring React's development code.
if (process.argv.includes('build')) process.env.NODE_ENV = 'production';

const apiPort = process.env.API_PORT ?? '3000';

export default defineConfig({
  // Tailwind's own pass over the CSS is for older browsers than `cssTarget`, and would write much of it twice.
  plugins: [react(), tailwindcss({ optimize: false }), content(), iconSet(), images(), prerender()],
  // Browsers of mid 2024 and later read light-dark(), @property and nested rules as they are written.
  build: { cssTarget: ['chrome123', 'firefox128', 'safari17.5'] },
  envPrefix: ['SITE_URL', 'ANALYTICS_URL', 'SALES_INBOX', 'HR_INBOX', 'RETENTION_DAYS'],
  server: { proxy: { '/api': `http://127.0.0.1:${apiPort}` } },
});
