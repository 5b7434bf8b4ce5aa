import { Injectable } from '@nestjs/common';
import { valueOf, type Filled } from '../contract/forms.ts';
import type { SpamReason } from '../submissions/reasons.ts';
import { FormTokenService } from './form-token.service.ts';

/** Weights of the spam signals. */
export const WEIGHTS: Readonly<Record<SpamReason, number>> = {
  'honeypot filled': 4,
  'advertising phrases': 4,
  'advertising phrase': 2,
  'markup of a web page': 2,
  'many links': 2,
  'link in a name or phone number': 2,
  'sent within seconds': 2,
  'form token not ours': 2,
  'form token of long ago': 1,
  links: 1,
};

/**
 * Sum of weights from which a submission is quarantined. Only the honeypot and several phrases of advertisements reach it by
 * themselves: people do write about code and send links. A missing form token is no signal, because
 * other programs may call the API; what they send is judged by its content.
 */
export const THRESHOLD = 4;

/** Maximum number of links that is not suspicious. */
const MANY_LINKS = 3;

const LINK = /\b(?:https?:\/\/|www\.)\S/gi;

/** Elements, handlers and forum tags of spam and probes. Linear time: no text matches in two ways (ReDoS). */
const MARKUP =
  /<[\s/]*(?:a\s|script|iframe|object|embed|svg|img\s|style|meta)|javascript:|\bon(?:click|error|load|focus|mouseover)\s*=|\[url[=\]]/i;

/** Returns the signals in the texts of a submission. */
export function contentReasons(submission: Filled): SpamReason[] {
  const texts = Object.values(submission.fields);
  const found: SpamReason[] = [];
  const links = texts.reduce((sum, text) => sum + (text.match(LINK)?.length ?? 0), 0);
  if (links > MANY_LINKS) found.push('many links');
  else if (links > 0) found.push('links');
  if ((['sender', 'phone'] as const).some((role) => valueOf(submission, role).search(LINK) >= 0))
    found.push('link in a name or phone number');
  if (texts.some((text) => MARKUP.test(text))) found.push('markup of a web page');
  const phrases = spamPhrasesIn(texts.join('\n'));
  if (phrases.length > 0) found.push(phrases.length > 1 ? 'advertising phrases' : 'advertising phrase');
  return found;
}

export const scoreOf = (reasons: readonly SpamReason[]): number =>
  reasons.reduce((sum, reason) => sum + WEIGHTS[reason], 0);

/** Facts about the sender. A missing one is no signal. */
export interface SenderFacts {
  /** Key of the client's address. */
  readonly client: string;
  readonly filledHoneypot: boolean;
  /** Form token, not verified yet. */
  readonly formToken?: string | undefined;
}

/** Recognises spam by the sum of its signals. A signal that is not available (no script) counts as 0. */
@Injectable()
export class SpamFilter {
  constructor(private readonly tokens: FormTokenService) {}

  /** Returns the reasons for quarantine; empty if the submission is accepted. Never throws. */
  async reasonsFor(submission: Filled, sender: SenderFacts): Promise<readonly SpamReason[]> {
    const found = contentReasons(submission);
    if (sender.filledHoneypot) found.unshift('honeypot filled');
    const ofToken = await this.tokens.reasonOf(sender.formToken);
    if (ofToken) found.push(ofToken);
    return scoreOf(found) >= THRESHOLD ? found : [];
  }
}

/**
 * Phrases of advertisements that arrive through contact forms, by language: offers, not subjects. Somebody who runs a casino
 * or a bank may write to us about it. Lower case, without accents and punctuation; none contains another one.
 */
const PHRASES = {
  any: 'viagra, cialis, levitra, kamagra, tramadol, xanax',
  en: `
    high authority backlinks, quality backlinks, buy backlinks, dofollow backlinks, backlinks for, guest post on,
    first page of google, page one of google, top of google, guaranteed ranking, guaranteed rankings, rank your website,
    boost your ranking, seo packages, website visitors for, targeted traffic, real visitors, increase your traffic,
    million contact forms, to contact forms, million websites, your ad on, email list of, bulk email,
    online casino, free spins, welcome bonus, no deposit, sports betting tips, play and win,
    instagram followers, real followers, tiktok followers, youtube views, buy followers,
    without prescription, cheap pills, discreet shipping, weight loss pills,
    guaranteed profit, passive income, make money online, earn money from home, crypto signals, double your bitcoin,
    payday loan, instant loan, quick loan, bad credit loan, loan at 2, business loan of up to,
    next of kin, million us dollars, inherited the sum, you have won, claim your prize,
    girls in your area, adult dating, hot singles, sexy girls, adult only`,
  de: `
    echte besucher, mehr besucher auf ihrer, besucher fur nur, hochwertige backlinks, backlinks kaufen, erste seite bei google,
    seite 1 bei google, platz 1 bei google, auf die erste seite, garantiertes ranking,
    online casino, online casinos, freispiele, freispielen, ohne einzahlung, willkommensbonus,
    echte follower, follower kaufen, ohne rezept, rezeptfrei, potenzmittel, diskreter versand,
    passives einkommen, euro am tag, geld verdienen von zu hause, garantierter gewinn,
    kredit sofortkredit ohne, sie haben gewonnen, millionen us dollar,
    heisse frauen, frauen in deiner nahe`,
  fr: `
    premiere page de google, backlinks de qualite, acheter des backlinks, visiteurs garantis, augmentez votre trafic,
    referencement garanti, casino en ligne, tours gratuits, sans depot, bonus de bienvenue,
    abonnes instagram, vrais abonnes, sans ordonnance, livraison discrete,
    revenus passifs, gagnez de l argent, par jour garantis, devenez riche,
    pret entre particuliers, credit rapide, pret rapide, sans justificatif,     vous avez gagne, rencontres adultes, filles pres de chez vous`,
  es: `
    primera pagina de google, comprar backlinks, compre backlinks, backlinks por, posicionamiento garantizado,
    visitas reales, aumente su trafico, casino en linea, casinos en linea, casino online, giros gratis, tiradas gratis,
    sin deposito, bono de bienvenida, seguidores reales, comprar seguidores, sin receta, envio discreto,
    gane dinero, dinero desde casa, ingresos pasivos, euros diarios, ganancias garantizadas,
    prestamos rapidos, prestamo rapido, sin aval, aprobacion inmediata, credito inmediato,
    ha ganado usted, chicas en tu zona`,
} as const;

/** Phrases between two spaces, as a folded text has them. */
export const SPAM_PHRASES: readonly string[] = [
  ...new Set(Object.values(PHRASES).flatMap((list) => list.split(',').map((phrase) => ` ${phrase.trim()} `))),
];

/** Returns the phrases of advertisements in a text. */
function spamPhrasesIn(text: string): readonly string[] {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ');
  const folded = ` ${words} `;
  return SPAM_PHRASES.filter((phrase) => folded.includes(phrase));
}
