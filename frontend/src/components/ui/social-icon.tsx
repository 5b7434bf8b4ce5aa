/** Outlines of the networks' signs, drawn on a 24 unit square. */
const outlines = {
  linkedin:
    'M4 9h4v11H4zM6 3.6a2.1 2.1 0 1 1 0 4.2 2.1 2.1 0 0 1 0-4.2zM10 9h3.8v1.6c.6-1 1.8-1.9 3.5-1.9 3 0 3.7 2 3.7 4.8V20h-4v-5.8c0-1.3-.2-2.5-1.6-2.5S13.9 13 13.9 14.300V20H10z',
  x: 'M3 3h5.600l4.200 6.100L18 3h2.500l-6.600 7.700L21.300 21h-5.600l-4.600-6.600L5.500 21H3l7-8.100zm3.600 1.800 10 14.400h1.800L8.400 4.800z',
  facebook:
    'M13.500 21v-7.500h2.700l.5-3.300h-3.200V8c0-1 .4-1.700 1.900-1.700h1.500V3.300C16.500 3.200 15.600 3 14.600 3c-2.500 0-4.300 1.500-4.300 4.300v2.900H7.500v3.300h2.800V21z',
} as const;

/** Sign of a social network. */
export const SocialIcon = ({ network }: { network: keyof typeof outlines }) => (
  <svg className="size-[1.25em] flex-none fill-current" viewBox="0 0 24 24" aria-hidden="true">
    <path d={outlines[network]} />
  </svg>
);
