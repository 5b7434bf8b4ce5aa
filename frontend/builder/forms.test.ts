import { expect, jest, test } from '@jest/globals';
import type { ResolvedConfig } from 'vite';
import { survey } from '../../form-service/test/survey.ts';
import { application } from '../../form-service/src/contract/forms/application.ts';
import { contact } from '../../form-service/src/contract/forms/contact.ts';

jest.unstable_mockModule('../../form-service/src/contract/form-list.ts', () => ({
  FORMS: [contact, application, survey],
}));
const { forms, islandPath } = await import('./forms.ts');

/** Returns the components that the script of a form contains. */
function componentsOf(kind: string): readonly string[] {
  const { configResolved, load } = forms() as unknown as {
    configResolved: (config: Pick<ResolvedConfig, 'root'>) => void;
    load: (id: string) => string;
  };
  configResolved({ root: '/site' });
  return [...load(`/site/${islandPath(kind)}`).matchAll(/^(?:im|ex)port \{ ([A-Z]\w+) \} from '\.\./gm)].map(
    ([, component = '']) => component,
  );
}

test('scripts of forms > have all what two of them share, so that it is one script', () => {
  const all = [contact, application, survey].map(({ kind }) => componentsOf(kind));
  const shared = all.flat().filter((component, index, found) => found.indexOf(component) < index);
  expect(shared.length).toBeGreaterThan(0);
  for (const components of all) expect(components).toEqual(expect.arrayContaining(shared));
});
