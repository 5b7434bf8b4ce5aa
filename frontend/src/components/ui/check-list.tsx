import { RichText } from './rich-text.tsx';

/** A list of short facts. */
export const CheckList = ({ items }: { items: readonly string[] }) => (
  <ul className="check-list">
    {items.map((item) => (
      <li key={item}>
        <RichText>{item}</RichText>
      </li>
    ))}
  </ul>
);
