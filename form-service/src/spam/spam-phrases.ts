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
export function spamPhrasesIn(text: string): readonly string[] {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ');
  const folded = ` ${words} `;
  return SPAM_PHRASES.filter((phrase) => folded.includes(phrase));
}
