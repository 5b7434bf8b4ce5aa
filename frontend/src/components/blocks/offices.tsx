import { telephoneUrl } from 'form-service/contract/telephone';
import { columns } from '../ui/columns.ts';
import { Icon } from '../ui/icon.tsx';
import { Section } from '../ui/section.tsx';
import { company, type SectionOf } from 'virtual:content';

type Office = (typeof company.offices)[number];

const CONTACT = 'inline-flex min-h-9 items-center gap-2 justify-self-start hover:text-signal';

/** Countries in which the postal code follows the town. */
const CODE_AFTER_TOWN = new Set(['AU', 'CA', 'GB', 'HK', 'IE', 'IN', 'NZ', 'SG', 'TH', 'TW', 'US', 'ZA']);

const townLine = ({ countryCode, locality, postalCode }: Pick<Office, 'countryCode' | 'locality' | 'postalCode'>) =>
  (CODE_AFTER_TOWN.has(countryCode) ? [locality, postalCode] : [postalCode, locality]).join(' ');

/** Three offices are rows on a tablet, whose thirds are too narrow for a telephone number. */
const ROWS = company.offices.length === 3;

/** The offices of company.yaml. */
export const Offices = ({ section }: { section: SectionOf<'offices'> }) => (
  <Section {...section}>
    <ul className={`grid gap-cell ${ROWS ? 'lg:grid-cols-3' : columns(company.offices.length)}`}>
      {company.offices.map(({ name, street, country, email, phone, ...office }) => (
        <li
          key={name}
          className={`grid content-start gap-x-cell gap-y-2 border-t border-line pt-5 ${ROWS ? 'sm:max-lg:grid-cols-[1fr_2fr]' : ''}`.trim()}
        >
          <h3>{name}</h3>
          <address className="grid not-italic">
            {[...street, `${townLine(office)}, ${country}`].map((addressLine) => (
              <span key={addressLine} className="text-muted">
                {addressLine}
              </span>
            ))}
            <a className={`${CONTACT} mt-2 figure text-[1.5rem] md:text-[1.75rem]`} href={telephoneUrl(phone)}>
              {phone}
            </a>
            <a className={CONTACT} href={`mailto:${email}`}>
              <Icon name="mail" />
              {email}
            </a>
          </address>
        </li>
      ))}
    </ul>
  </Section>
);
