/**
 * Messages that nobody tuned the rules on: ten advertisements and ten honest messages in two sets, in English, German, French
 * and Spanish. Do not change a rule because of one of these texts; write new ones.
 */
export const SPAM = [
  [
    'Hi there, I noticed your website is not on the first page of Google. We offer guaranteed #1 rankings and 5000 high authority backlinks for just $99. Order here: https://rank-boost.example/offer and see the results of our clients at https://rank-boost.example/results and https://rank-boost.example/pay',
    'CONGRATULATIONS!!! Claim 200 free spins and a 500% welcome bonus at the best online casino. No deposit needed. Play now: https://luckyspin.example',
    'Dear owner, buy Viagra and Cialis without prescription, cheap price, discreet shipping worldwide. www.pills-direct.example',
    'Sehr geehrte Damen und Herren, möchten Sie mehr Besucher auf Ihrer Webseite? Wir liefern 10.000 echte Besucher für nur 29 Euro und hochwertige Backlinks. Jetzt bestellen: https://besucher-kaufen.example https://backlinks.example',
    'Verdienen Sie 3.000 Euro am Tag mit Bitcoin, ganz ohne Vorkenntnisse! Unser Roboter handelt für Sie. Jetzt kostenlos anmelden: https://krypto-robot.example',
    'Bonjour, besoin d’un crédit rapide ? Prêt entre particuliers de 5 000 à 500 000 euros, taux de 2 %, sans justificatif, réponse en 24 heures. Écrivez-moi sur WhatsApp : https://wa.me/000000',
    'Jouez au meilleur casino en ligne et recevez 100 tours gratuits sans dépôt ! https://casino-or.example https://casino-or.example/bonus',
    'Hola, posicionamos su web en la primera página de Google, garantizado. Compre 1.000 backlinks por 49 dólares: https://seo-barato.example y https://seo-barato.example/precios',
    'Gane dinero desde casa con criptomonedas, hasta 500 euros diarios, sin experiencia. Regístrese ya: https://gana-ya.example',
    'Hello, hot single girls in your area want to meet you tonight. Free registration, adult only: http://dating-now.example http://dating-now.example/girls',
  ],
  [
    'We can submit your site to 1 million contact forms for $49. Your ad on millions of sites, no risk. https://formblast.example',
    'Get 10k Instagram followers and 50k likes, real and cheap, delivered in 24h. https://likes.example https://followers.example https://views.example https://shop.example',
    'I am Mrs. Grace Williams, a widow. I have inherited the sum of 8.5 million US dollars and wish to transfer it to you as my next of kin. Kindly reply to grace@bank-transfer.example',
    'Spielen Sie jetzt im Online-Casino mit 100 Freispielen und 200 % Bonus ohne Einzahlung! http://freispiele.example',
    'Günstige Potenzmittel ohne Rezept, Viagra ab 1 Euro, diskreter Versand. https://apotheke24.example',
    'Sofortkredit ohne Schufa, bis 100.000 Euro, Auszahlung heute noch. Jetzt beantragen: https://kredit-sofort.example https://kredit-sofort.example/antrag',
    'Augmentez votre trafic : 10 000 visiteurs garantis et 500 backlinks de qualité pour 39 euros. Commandez ici : https://trafic.example https://trafic.example/promo',
    'Devenez riche avec le trading Bitcoin : 1 000 € par jour garantis, sans expérience. https://bit-riche.example',
    'Préstamos rápidos sin aval, hasta 100.000 euros, aprobación inmediata. Solicítelo aquí: https://prestamo-ya.example',
    'Los mejores casinos en línea: 50 giros gratis sin depósito, bono de bienvenida del 300 %. https://casinos-top.example https://giros.example',
  ],
] as const;

export const HONEST = [
  [
    'We run two licensed casinos in Malta and need a new booking system for tables and hotel rooms. Could we talk next week? Our present site is https://www.grand-hotel.example.',
    'Our shop lost half of its Google traffic after we moved domains. Can you review redirects and SEO? Old: https://old-shop.example New: https://new-shop.example',
    'Please find the tender documents here: https://docs.example/rfp.pdf (requirements) and https://docs.example/annex.pdf (annex). Deadline for questions is 12 May. We expect offers by the end of the month.',
    'Guten Tag, wir suchen einen Partner für die Ablösung unserer SAP-Schnittstellen. Etwa 40 Anwender, Start im Herbst. Was würde ein erstes Gespräch kosten?',
    'Wir sind eine Bank und möchten den Antrag für Sofortkredite auf unserer Webseite barrierefrei machen. Haben Sie damit Erfahrung? https://www.sparbank.example',
    'Sind Sie an einem Projekt mit Bitcoin-Zahlungen für unseren Onlineshop interessiert? Budget etwa 30.000 Euro. Bitte rufen Sie mich an.',
    'Bonjour, nous souhaitons refondre le site de notre office de tourisme (https://www.ville.example), avec réservation en ligne. Pouvez-vous nous envoyer une estimation gratuite ?',
    'Nous cherchons deux développeurs Java pour six mois à Lyon, à partir de septembre. Télétravail possible. Merci de nous indiquer vos tarifs.',
    'Buenos días, somos una farmacia y queremos vender por internet, también medicamentos con receta. ¿Cumplen ustedes la normativa? Nuestra web: www.farmacia-sol.example',
    'Necesitamos una aplicación para gestionar préstamos entre bibliotecas. ¿Pueden ofrecernos un presupuesto? Ejemplos que nos gustan: https://biblio-a.example y https://biblio-b.example',
  ],
  [
    'Here are five sites whose look we like: https://a.example https://b.example https://c.example https://d.example https://e.example. Ours should be as calm. We need it before our conference in June.',
    'Our marketing team buys backlinks through an agency, and Google has sent us a warning. Can your engineers help us to clean this up?',
    'My app at https://github.com/ada/tracker crashes on Android 14. Details: https://github.com/ada/tracker/issues/12. Do you offer maintenance by the hour?',
    'Wir betreiben ein Portal für Singles und brauchen Hilfe bei der Skalierung unserer Datenbank. NDA vorausgesetzt. Wann hätten Sie Zeit?',
    'Bitte um ein Angebot für ein Bonusprogramm in unserer Kunden-App: 100 Punkte bei Registrierung, kostenloser Versand ab 50 Euro.',
    'Ich habe auf https://kitewright.example/careers gesehen, dass Sie Entwickler suchen. Mein Profil: https://www.linkedin.com/in/example und https://github.com/example',
    'Nous sommes une jeune société de crédit et voulons vérifier la sécurité de notre formulaire de prêt. Pouvez-vous faire un audit en octobre ?',
    'Le lien https://kitewright.example/services/erp de votre site répond 404 depuis hier. Bon courage !',
    'Queremos ganar visibilidad en Google para nuestro hotel. ¿Trabajan con posicionamiento web o solo con desarrollo? Gracias.',
    'Adjunto los enlaces de nuestro prototipo: https://figma.example/a https://figma.example/b https://figma.example/c. Nos gustaría empezar en enero con un equipo dedicado.',
  ],
] as const;
