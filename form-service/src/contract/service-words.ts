import { LOCALE } from './locale.ts';
import { fill } from './messages.ts';
import { allWords, readCompleteBlock, withFile, wrongPlace } from './words.ts';

/** Places of each text, in groups. */
export interface Table {
  readonly [key: string]: readonly string[] | Table;
}

/**
 * Words of the service, by their keys in `wording.yaml`, each with the places that are filled in. A text with the place
 * `count` may have one form for each plural of the language.
 */
export const SERVICE_WORDS = {
  errors: {
    notFound: [],
    method: ['methods'],
    aborted: [],
    unreadable: [],
    noBody: [],
    compressed: [],
    notUtf8: [],
    textNotUtf8: [],
    otherType: [],
    typeOfForm: [],
    typeOfFormWithFile: [],
    tooLarge: [],
    tooManyFields: [],
    tooManyRequests: [],
    tooManyFiles: ['count'],
    internal: [],
    unavailable: [],
    checkForm: [],
    unreadableForm: [],
    fieldName: [],
    fieldTooLong: [],
    oneFile: [],
    alreadySent: [],
    idempotencyKey: ['min', 'max'],
    server: {
      unreadable: [],
      forbidden: [],
      method: [],
      changed: [],
      tooLarge: [],
      longAddress: [],
      longHeaders: [],
      unavailable: [],
      home: [],
      failed: [],
      advice: [],
    },
  },
  plainPages: {
    mainMenu: [],
    about: [],
    services: [],
    careers: [],
    contact: [],
    error: ['title'],
    chooseFileAgain: [],
    failed: [],
    goBack: [],
    back: [],
  },
  mails: {
    sender: ['company'],
    website: [],
    note: [],
    notePlain: [],
    received: [],
    reference: [],
    link: [],
    submission: {
      new: ['noun'],
      heldBack: ['noun'],
      subject: ['noun', 'name'],
      subjectWithTopic: ['topic', 'noun', 'name'],
      subjectHeldBack: ['subject'],
      withoutTopic: ['topic'],
      from: ['name'],
      email: [],
      phone: [],
      answer: [],
      call: [],
      reply: [],
      cannotReply: [],
      open: [],
      openAt: ['page'],
      details: [],
      sentOn: ['name'],
      sentOnWhy: ['name', 'why'],
      colleague: [],
      released: [],
      releasedBy: ['name'],
      file: [],
      fileNamed: ['name'],
      attached: [],
      notAttached: [],
      refused: ['code'],
      tooLarge: [],
      fileInInbox: [],
      fileByReference: ['reference'],
      virus: ['virus', 'noun'],
      virusInInbox: [],
      virusByReference: ['reference'],
      mayAskForPassword: [],
      seemsCutOff: [],
    },
    acknowledgement: {
      kind: [],
      title: ['noun'],
      subjectWithTopic: ['topic', 'noun'],
      arrived: ['next'],
      reply: ['noun'],
      notYou: [],
    },
    digest: {
      decision: [],
      remember: [],
      subject: ['counts', 'day'],
      reminders: ['count'],
      heldBack: ['count'],
      notDelivered: ['count'],
      waiting: ['time', 'zone'],
      due: ['time', 'zone'],
      refused: [],
      reminder: ['day'],
      open: [],
      command: ['command'],
      more: ['count'],
      older: ['count', 'day'],
      inbox: [],
    },
  },
  submissions: {
    zone: ['city'],
    status: {
      pending: [],
      delivered: [],
      failed: [],
      quarantined: [],
      done: [],
      spam: [],
    },
    article: ['noun'],
    articleOfVowel: ['noun'],
    operator: [],
    answer: [],
    noLongerAsked: ['label'],
    failed: ['why'],
    heldBack: ['reasons'],
    reasons: {
      'honeypot filled': [],
      'same text from several senders': [],
      'markup of a web page': [],
      'many links': [],
      'link in a name or phone number': [],
      'sent within seconds': [],
      'form token not ours': [],
      'form token used often': [],
      'form token of long ago': [],
      links: [],
    },
    virus: ['virus'],
    fileRemains: ['references'],
    copiesRemain: [],
    retried: [],
    history: {
      by: ['name'],
      received: [],
      notSent: ['code'],
      rejected: ['code'],
      accepted: [],
      released: ['by'],
      sentAgain: ['by'],
      sentOn: ['mailbox', 'by'],
      sentOnWhy: ['mailbox', 'by', 'why'],
      anotherMailbox: [],
      postedAgain: ['by'],
      givenUp: ['by'],
      heldBack: [],
      downloaded: ['by'],
      marked: ['status', 'by'],
      reopened: ['by'],
      undone: ['by', 'status'],
      note: ['by'],
      taken: ['by'],
      givenBack: ['by'],
      labelled: ['label', 'by'],
      labelRemoved: ['label', 'by'],
      reminder: ['day', 'by'],
      reminderRemoved: ['by'],
    },
  },
  inbox: {
    frame: {
      title: ['title', 'company'],
      skip: [],
      name: ['company'],
      allForms: [],
      someForms: ['nouns'],
      mailbox: ['mailbox'],
      signOut: [],
      signOutEverywhere: [],
      back: [],
      undo: [],
      markDone: [],
      markSpam: [],
      newer: [],
      older: [],
      shortcuts: [],
      useShortcuts: [],
      keysNext: ['next', 'previous'],
      nextOrPrevious: [],
      select: [],
      done: [],
      undoOrBack: [],
      show: [],
      close: [],
    },
    list: {
      open: ['count'],
      found: ['filter', 'count'],
      openOnPage: ['count', 'page', 'pages'],
      foundOnPage: ['filter', 'count', 'page', 'pages'],
      nothingChosenTitle: ['heading'],
      moreThan: ['count'],
      new: [],
      newSince: ['count', 'time'],
      decision: [],
      ofStatus: ['count', 'status'],
      reminders: [],
      firstReminders: ['count'],
      newestFirst: [],
      search: [],
      searchAll: [],
      filter: [],
      status: [],
      openOnes: [],
      mine: [],
      all: [],
      topic: [],
      anyTopic: ['topic'],
      topics: ['topic'],
      label: [],
      anyLabel: [],
      period: [],
      anyTime: [],
      lastDays: ['count'],
      text: ['text'],
      backToOpen: [],
      searchClosed: [],
      nothingFits: [],
      nothingElse: [],
      nothingOpen: [],
      marked: ['count', 'status'],
      nothingOlder: [],
      chooseFirst: [],
      selectAll: [],
      selectNone: [],
      selectOne: ['name'],
      everything: ['count', 'done', 'spam'],
      asDone: [],
      asSpam: [],
      taken: ['name'],
      reminder: ['day'],
      note: [],
      pages: [],
      range: ['from', 'to', 'count'],
      zone: ['zone'],
      download: [],
      lastMonth: ['received', 'delivered', 'heldBack'],
      delivered: ['delivered'],
      heldBack: ['heldBack'],
      eachDay: [],
      day: [],
      dayReceived: [],
      dayDelivered: [],
      dayHeldBack: [],
    },
    markAll: {
      title: ['count', 'status'],
      marks: ['filter'],
      no: [],
      yes: ['count', 'status'],
      nothing: [],
    },
    submission: {
      list: [],
      head: ['reference', 'time', 'zone', 'mailbox'],
      isDone: ['name'],
      marked: ['status', 'name', 'time'],
      reminder: ['day'],
      deletedBefore: ['noun', 'day'],
      removeReminder: [],
      nextTry: ['time', 'zone'],
      notDelivered: [],
      notDeliveredAdvice: [],
      heldBackAdvice: [],
      deleted: ['time', 'zone'],
      serverSaid: [],
      takenSince: ['who', 'time'],
      taken: ['name'],
      takenByYou: [],
      take: [],
      takeOver: [],
      giveBack: [],
      answer: [],
      call: ['phone'],
      openFile: [],
      downloadFile: [],
      release: [],
      doneAndNext: [],
      fields: [],
      others: ['count'],
      notes: [],
      newNote: [],
      colleague: [],
      noteNotSaved: [],
      noteHint: ['max'],
      saveNote: [],
      noteTooLong: ['length', 'max'],
      noteNoRoom: [],
      later: [],
      saveLabels: [],
      remind: [],
      setReminder: [],
      reminderInDigest: [],
      reminderInList: [],
      reminderPast: [],
      reminderTooLate: ['day', 'noun'],
      mail: [],
      sendAgain: [],
      sendMailAgain: [],
      sendNow: [],
      giveUp: [],
      postAgain: [],
      sendTo: [],
      chooseMailbox: [],
      mailboxesFor: ['nouns'],
      why: [],
      send: [],
      sent: ['mailbox'],
      history: [],
      acknowledgementPending: [],
      acknowledgementDelivered: [],
      acknowledgementFailed: [],
      webhookPending: [],
      webhookPendingWhy: ['why'],
      webhookDelivered: [],
      webhookFailed: [],
      webhookFailedWhy: ['why'],
      erase: [],
      eraseHint: [],
      eraseThis: ['noun'],
      erased: [],
      erasedPartly: ['why'],
    },
    handOver: {
      title: ['noun'],
      text: ['mailbox', 'nouns', 'what', 'noun'],
      mail: [],
      mailWithFile: [],
      no: [],
      yes: [],
    },
    erase: {
      title: ['noun'],
      text: ['what'],
      fields: [],
      fieldsAndFile: [],
      no: [],
      yes: [],
    },
    errors: {
      nothing: [],
      unavailable: [],
      changed: [],
      beingSent: [],
      tooLarge: [],
      doneOrSpam: [],
      labels: [],
      mailbox: [],
      reasonTooLong: ['max'],
    },
  },
  signIn: {
    title: [],
    error: [],
    name: [],
    password: [],
    orPassword: [],
    with: ['provider'],
    goOn: ['provider'],
    chooseAccount: [],
    wrong: [],
    ended: [],
    noteKept: [],
    tooMany: [],
    tooManyTries: [],
    expired: [],
    noUser: ['address'],
    noAddress: ['provider'],
    refused: ['provider'],
    unavailable: ['provider'],
    onlyHttps: [],
    otherSite: [],
    program: [],
    noteTitle: [],
    noteError: [],
    note: [],
    copyNote: [],
  },
} as const satisfies Table;

type Value = string | number;

/** Words by their keys: texts, and functions that fill in the places of a text. */
type Words<Of> = {
  readonly [Key in keyof Of]: Of[Key] extends readonly string[] ? Word<Of[Key][number]> : Words<Of[Key]>;
};
type Word<Place extends string> = [Place] extends [never] ? string : (values: Readonly<Record<Place, Value>>) => string;

/** A text, or one for each plural form, by the names of `Intl.PluralRules`. */
type Text = string | Readonly<Record<string, string>>;

export const isPlaces = (part: Table[string]): part is readonly string[] => Array.isArray(part);

const plural = new Intl.PluralRules(LOCALE);

/** Makes the words of a table from the texts of a block. @throws Error that names the key */
export function makeWords<Of extends Table>(table: Of, block: unknown, path: string): Words<Of> {
  const words = Object.entries(table).map(([key, part]) => {
    const at = `${path}.${key}`;
    const text = textAt(block, key, at);
    return [key, isPlaces(part) ? makeWord(text as Text, part, at) : makeWords(part, text, at)];
  });
  return Object.fromEntries(words) as Words<Of>;
}

const formsOf = (text: Text): Exclude<Text, string> => (typeof text === 'string' ? { other: text } : text);

function mistakeIn(text: Text, places: readonly string[]): string | undefined {
  if (typeof text !== 'string' && !places.includes('count')) return 'is no text without plural forms';
  return Object.entries(formsOf(text))
    .map(([form, one]) => (typeof one === 'string' ? wrongPlace(one, places, form) : `has no text for ${form}`))
    .find((mistake) => mistake !== undefined);
}

function makeWord(text: Text, places: readonly string[], at: string) {
  const forms = formsOf(text);
  const { other = textAt(forms, 'other', `${at}.other`) as string } = forms;
  const mistake = mistakeIn(text, places);
  if (mistake) throw new Error(`${at} ${mistake}`);
  if (places.length === 0) return other;
  return (values: Readonly<Record<string, Value>>) =>
    fill(forms[plural.select(Number(values['count']))] ?? other, values);
}

function textAt(block: unknown, key: string, at: string): unknown {
  const text = (block as Readonly<Record<string, unknown>> | undefined)?.[key];
  if (text === undefined) throw new Error(`${at} is missing`);
  return text;
}

const blocks = new Map<string, unknown>();

function blockOf(name: string): unknown {
  if (!blocks.has(name)) blocks.set(name, name === 'forms' ? allWords() : readSection(name));
  return blocks.get(name);
}

/** Reads the words of a section, with those of the build in place of missing ones and of those with other places. */
export const readSection = (name: string, file?: URL, builtFile?: URL): unknown =>
  readCompleteBlock(name, (text, path) => Boolean(text) && !mistakeIn(text as Text, placesAt(path)), file, builtFile);

const placesAt = (path: string) =>
  path.split('.').reduce<Table[string]>((part, key) => (part as Table)[key] ?? [], SERVICE_WORDS) as readonly string[];

const sections = new Map<string, unknown>();

/**
 * Returns the words of a section, which are made once.
 *
 * @throws Error that names a key without text, or a text whose places are others
 */
export function serviceWords<Section extends keyof typeof SERVICE_WORDS>(section: Section) {
  const block = blockOf(section);
  if (!sections.has(section))
    sections.set(
      section,
      withFile(() => makeWords(SERVICE_WORDS[section], block, section)),
    );
  return sections.get(section) as Words<(typeof SERVICE_WORDS)[Section]>;
}

/** Returns the text of a key for a template, with its places in braces. @throws Error that names the key */
export function templateText(key: string): string {
  const [section = '', ...path] = key.split('.');
  const block = blockOf(section);
  return withFile(() => {
    const text = path.reduce((part, name) => textAt(part, name, key), block);
    if (typeof text !== 'string') throw new Error(`${key} is no text without plural forms`);
    return text;
  });
}
