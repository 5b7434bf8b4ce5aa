/**
 * Returns columns that divide the number of items evenly. The number is passed and not counted by a selector, because
 * HTML that is still arriving has fewer items.
 */
export const columns = (count: number): string => {
  if (count % 4 === 0) return 'sm:grid-cols-2 xl:grid-cols-4';
  if (count === 2) return 'sm:grid-cols-2';
  if (count === 3) return 'md:grid-cols-3';
  if (count === 5) return 'sm:grid-cols-2 xl:grid-cols-5';
  return 'sm:grid-cols-2 xl:grid-cols-3';
};
