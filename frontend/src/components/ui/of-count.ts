/**
 * Class that says how many items share a grid, so that its columns come out even: "of-4" for any multiple of four, "of-2"
 * to "of-5" for exactly that many. Said, and not counted by a selector: a page that is still arriving holds fewer.
 */
export const ofCount = (count: number): string => (count % 4 === 0 ? 'of-4' : count <= 5 ? `of-${count}` : '');
