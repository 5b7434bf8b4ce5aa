import { Icon } from '../ui/icon.tsx';
import { Section } from '../ui/section.tsx';
import { company } from 'virtual:content';
import type { SectionOf } from '../../content/schema.ts';

/** Digits and the leading plus, as a `tel:` link wants them. */
const dialled = (phone: string) => phone.replaceAll(/[^\d+]/g, '');

/** The three offices of `company.ts`. */
export const Offices = ({ section }: { section: SectionOf<'offices'> }) => (
  <Section {...section}>
    <ul className="offices">
      {company.offices.map(({ name, street, locality, postalCode, country, email, phone }) => (
        <li key={name}>
          <h3>{name}</h3>
          <address>
            {[...street, `${locality} ${postalCode}, ${country}`].map((addressLine) => (
              <span key={addressLine}>{addressLine}</span>
            ))}
            <a href={`mailto:${email}`}>
              <Icon name="mail" />
              {email}
            </a>
            <a href={`tel:${dialled(phone)}`}>
              <Icon name="phone" />
              {phone}
            </a>
          </address>
        </li>
      ))}
    </ul>
  </Section>
);
