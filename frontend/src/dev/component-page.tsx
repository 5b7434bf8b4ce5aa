import type { ReactNode } from 'react';
import { applicationFields, contactFields } from 'form-service/contract/fields';
import { SectionView } from '../app/section-view.tsx';
import { Hero } from '../components/blocks/hero.tsx';
import { ActionLink, button } from '../components/ui/actions.tsx';
import { CheckList } from '../components/ui/check-list.tsx';
import { Field } from '../components/ui/field.tsx';
import { Icon, IconTile } from '../components/ui/icon.tsx';
import { KiteDivider, Mark } from '../components/ui/kite-art.tsx';
import { Label } from '../components/ui/label.tsx';
import { Section } from '../components/ui/section.tsx';
import type { Page } from 'virtual:content';
import { ApplicationStatus } from '../features/application/application-form.tsx';
import { ResumeInput } from '../features/application/resume-input.tsx';

/** Words without a place to break, in two scripts. */
const LONG_WORDS = ['Kraftfahrzeughaftpflichtversicherungsanbieter', 'மென்பொருள்மேம்பாட்டுநிறுவனத்தினருக்கானது'];

/** Properties that visitors read in narrow places; the others are addresses, icons and ids. */
const NARROW = /^(?:heading|title|name|label|value|question|size|category|metricLabel|duration)$/;

function withLongWords<Content>(content: Content): Content {
  let count = 0;
  const longer = (key: string, value: unknown) =>
    typeof value === 'string' && NARROW.test(key) ? `${LONG_WORDS[count++ % 2]} ${value}` : value;
  return JSON.parse(JSON.stringify(content, longer)) as Content;
}

/** The first of those that have the same key. */
const oneOfEach = <Item,>(items: readonly Item[], key: (item: Item) => unknown) =>
  items.filter((item, index) => items.findIndex((other) => key(other) === key(item)) === index);

/** The page of all components in every state. Its content is that of the site's own pages, as it is and with long words. */
export function ComponentPage({ pages }: { pages: readonly Page[] }) {
  const heroes = oneOfEach(pages, ({ hero }) => (hero.picture ? 'picture' : hero.drawing));
  const sections = oneOfEach(
    pages.flatMap((page) => page.sections),
    (section) => ('shape' in section ? section.shape : section.kind),
  );
  return (
    <main id="content" className="hue-sky">
      {[...heroes, ...withLongWords(heroes)].map(({ hero, hue }, index) => (
        <div key={index} className={`hue-${hue}`}>
          <Hero hero={hero} />
        </div>
      ))}
      <States hues={new Set(pages.map(({ hue }) => hue))} />
      {[...sections, ...withLongWords(sections)].map((section, index) => (
        <SectionView key={index} section={section} />
      ))}
    </main>
  );
}

const ignore = () => undefined;
const resumeField = applicationFields.find(({ input }) => input === 'file') ?? applicationFields[0];

/** The small pieces, each in every state it can be in; hover, focus and press are the browser's to show. */
const States = ({ hues }: { hues: Iterable<Page['hue']> }) => (
  <>
    <State name="Buttons">
      <p className="flex flex-wrap gap-4">
        <ActionLink action={{ label: 'Main, a page', href: '/contact' }} />
        <ActionLink action={{ label: 'Quiet, a page', href: '/services' }} variant="secondary" />
        <ActionLink action={{ label: 'Opens the dialog', opens: 'application' }} variant="secondary" />
        <Button>Submit</Button>
        <Button disabled>Submitting...</Button>
        <Button quiet disabled>
          Cancel
        </Button>
      </p>
    </State>
    <State name="Fields: empty, filled, with an error">
      {contactFields.map((field) => (
        <div className="grid gap-cell md:grid-cols-3" key={field.name}>
          <Field field={{ ...field, name: `${field.name}-empty` }} onInput={ignore} />
          <Field
            field={{ ...field, name: `${field.name}-filled` }}
            defaultValue={field.options?.[0] ?? 'Filled in'}
            onInput={ignore}
          />
          <Field
            field={{ ...field, name: `${field.name}-wrong` }}
            error="This is what was wrong with it"
            onInput={ignore}
          />
        </div>
      ))}
    </State>
    <State name="Drop zone: empty, a file over it, a file chosen">
      {resumeField && (
        <>
          <ResumeInput field={{ ...resumeField, name: 'resume-empty' }} file={null} onFile={ignore} />
          <div className="field">
            <div className="drop-zone" data-over>
              <Icon name="upload" />
              <b>Choose a file or drop it here</b>
            </div>
          </div>
          <ResumeInput
            field={{ ...resumeField, name: 'resume-chosen' }}
            file={new File([], `${'Bewerbungsunterlagen'.repeat(4)}.pdf`)}
            onFile={ignore}
          />
        </>
      )}
    </State>
    <State name="Notices">
      <ApplicationStatus progress={0.4} />
      <ApplicationStatus outcome={{ sent: true, text: 'Your reference is KW-0000-0000-0000-0000.' }} />
      <ApplicationStatus outcome={{ sent: false, text: '' }} />
    </State>
    <State name="Accents">
      <div className="grid grid-cols-2 gap-cell xl:grid-cols-4">
        {[...hues].map((hue) => (
          <div className={`hue-${hue}`} key={hue}>
            <IconTile name="code" />
            <Label>{hue}</Label>
            <CheckList items={[['A short fact'], ['Another one']]} />
          </div>
        ))}
      </div>
    </State>
    <State name="Drawings">
      <Mark />
      <KiteDivider />
    </State>
  </>
);

const State = ({ name, children }: { name: string; children: ReactNode }) => (
  <Section kind="state" heading={name}>
    {children}
  </Section>
);

const Button = ({
  quiet = false,
  disabled = false,
  children,
}: {
  quiet?: boolean;
  disabled?: boolean;
  children: string;
}) => (
  <button className={quiet ? button.secondary : button.primary} type="button" aria-disabled={disabled || undefined}>
    {children}
  </button>
);
