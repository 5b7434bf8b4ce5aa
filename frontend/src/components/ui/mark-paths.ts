/** Path data of the mark. Written by `npm run art`. */
export const paths = {
  sail: 'M17.22 9.33L20.6 2.08L9.7 5.82zM16.7 10.45L10.1 24.59L9.17 6.94zM17.82 10.97L11.23 25.11L25.34 14.48z',
  accent: 'M18.34 9.85L21.72 2.6L25.87 13.36z',
  tail: 'M10.4 25.41c-1.5 2.6-3.4 .6-5 3.4',
} as const;
