/** Stands in for `virtual:icon-sprite`, which only a build has. */
export default '/assets/icons.svg';
