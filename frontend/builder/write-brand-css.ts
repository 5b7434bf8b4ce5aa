import { writeBrandCss } from './brand.ts';

// The formatter sorts class names by the style sheet, also where nothing was built yet.
writeBrandCss();
