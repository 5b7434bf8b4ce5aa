/** Stands in for every style sheet and its address: jsdom lays nothing out. */
export default '/assets/styles.css';
