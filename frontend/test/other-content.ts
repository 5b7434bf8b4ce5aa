import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isPair, isScalar, isSeq, parseDocument, visit, type Document } from 'yaml';

const CONTENT = join(import.meta.dirname, '../content');

/** A language with the lengths of English, so that the limits of texts hold. Search does not take the two for the same. */
const VOWELS: Readonly<Record<string, string>> = { a: 'ü', e: 'ö', i: 'é', o: 'ä', u: 'ó' };
const translatedLetter = (letter: string) => VOWELS[letter] ?? (VOWELS[letter.toLowerCase()] ?? letter).toUpperCase();

/** Facts and places in braces, and destinations of links, which are no words. */
const NO_WORDS = /(\{[\w.]+\}|\]\([^)]*\))/;
const translated = (text: string) =>
  text
    .split(NO_WORDS)
    .map((part, index) => (index % 2 === 0 ? part.replaceAll(/[aeiou]/gi, translatedLetter) : part))
    .join('');

/** Keys of pages and menus whose values are words. */
const WORDS = new Set(
  'name title description heading lead kicker intro label about question answer statement text caption'.split(' '),
);

const COMPANY = {
  name: 'Nordlicht',
  legalName: 'Nordlicht Systems GmbH',
  host: 'https://nordlicht.example',
  email: 'kontakt@nordlicht.example',
  careersEmail: 'jobs@nordlicht.example',
};
const officeIn = (locality: string) => ({
  name: locality,
  street: ['Beispielweg 0'],
  locality,
  postalCode: '00000',
  country: 'Germany',
  phone: '+49 40 000000',
  email: '{company.email}',
});

const SERVICES = ['forms', 'contact', 'fields', 'service', 'options'];

/**
 * Writes the content of another company into a folder: the same pages in other words, with another name, host and consent
 * key, another office in place of the first and one more, and other services: one fewer, one more, the others renamed.
 */
export function writeOtherContent(folder: string): void {
  cpSync(CONTENT, folder, { recursive: true, filter: (path) => path !== join(CONTENT, 'schema') });
  let services: readonly string[] = [];
  edit('wording.yaml', (wording) => {
    const [first = '', ...others] = (wording.toJS() as Wording).forms.contact.fields.service.options;
    services = others;
    translate(wording, () => true);
    wording.setIn(SERVICES, [...others.map(translated), `${translated(first)} & Co.`]);
  });
  edit('company.yaml', (company) => {
    for (const [fact, value] of Object.entries(COMPANY)) company.set(fact, value);
    const offices = company.get('offices');
    if (isSeq(offices))
      offices.items.splice(0, 1, ...['Hamburg', 'Kiel'].map((town) => company.createNode(officeIn(town))));
  });
  const pages = readdirSync(join(folder, 'pages'), { recursive: true, encoding: 'utf8' });
  for (const file of [
    'navigation.yaml',
    ...pages.filter((name) => name.endsWith('.yaml')).map((name) => `pages/${name}`),
  ])
    edit(file, (page) => {
      translate(page, (key) => WORDS.has(key));
      const service = page.get('serviceOption');
      const own = services.includes(String(service)) ? service : services[0];
      if (service !== undefined) page.set('serviceOption', translated(String(own)));
    });
  for (const file of readdirSync(join(folder, 'jobs'))) {
    const path = join(folder, 'jobs', file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/(?<=^title: ).*/m, translated));
  }

  function edit(file: string, change: (document: Document) => void): void {
    const path = join(folder, file);
    const document = parseDocument(readFileSync(path, 'utf8'), { schema: 'failsafe' });
    change(document);
    writeFileSync(path, document.toString({ lineWidth: 0 }));
  }
}

interface Wording {
  readonly forms: {
    readonly contact: { readonly fields: { readonly service: { readonly options: readonly string[] } } };
  };
}

/** Translates the values of the keys that have words. */
function translate(document: Document, hasWords: (key: string) => boolean): void {
  visit(document, {
    Scalar(role, node, path) {
      const pair = path.findLast(isPair);
      const key = isScalar(pair?.key) ? String(pair.key.value) : '';
      if (role !== 'key' && hasWords(key)) node.value = translated(String(node.value));
    },
  });
}

// As a program it writes the content into the folder that it is given, for tests with `CONTENT=folder`.
if (process.argv[1] === fileURLToPath(import.meta.url)) writeOtherContent(resolve(process.argv[2] ?? ''));
