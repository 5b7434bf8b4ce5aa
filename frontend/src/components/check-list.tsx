/** A list of short facts. */
export const CheckList = ({ items }: { items: readonly string[] }) => (
  <ul className="check-list">
    {items.map((item) => (
      <li key={item}>{item}</li>
    ))}
  </ul>
);
