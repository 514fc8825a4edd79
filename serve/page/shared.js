// What all views share: requests, words in both languages, cards.
import { html } from './preact.js';
import { french, learn } from './errors.js';

// Requests ------------------------------------------------------------------------------------------------------------

const hash = location.hash.match(/^#token=([0-9a-f]+)$/);
if (hash) {
  localStorage.setItem('token', hash[1]);
  history.replaceState(null, '', '#/');
}

export const ownerToken = () => localStorage.getItem('token') || '';

function ask(path, { token, body, signal }) {
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  return fetch(`/api/v1/${path}`, {
    method: body === undefined ? 'GET' : 'POST', headers, signal, body: body === undefined ? undefined : JSON.stringify(body),
  });
}

function refusal(json, response) {
  if (json?.french) learn(json.error, json.french);
  return new Error(json?.error || `${response.status}`);
}

export async function api(path, { token = ownerToken(), body, signal } = {}) {
  const response = await ask(path, { token, body, signal });
  const text = await response.text();
  let json = null;
  try { json = JSON.parse(text); } catch { json = text; }
  if (!response.ok) throw refusal(json, response);
  return json;
}

/// Reads server-sent events until they end or the signal ends them.
export async function stream(path, { token = ownerToken(), signal, body }, onEvent) {
  const response = await ask(path, { token, signal, body });
  if (!response.ok) throw refusal(await response.json(), response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split('\n\n');
    rest = parts.pop();
    for (const part of parts) {
      const field = (name) => part.split('\n').filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2)).join('\n');
      if (field('event')) onEvent(field('event'), JSON.parse(field('data') || 'null'));
    }
  }
}

// Words ---------------------------------------------------------------------------------------------------------------

const WORDS = {
  title: ['Coinche', 'Coinche'],
  play: ['Play', 'Jouer'], board: ['Analysis', 'Analyse'], shelf: ['Runs', 'Séries'],
  newGame: ['New game', 'Nouvelle partie'], start: ['Start', 'Commencer'], rules: ['Rules', 'Règles'],
  partner: ['Partner', 'Partenaire'], others: ['Opponents', 'Adversaires'], name: ['Your name', 'Votre nom'],
  more: ['More options', 'Plus d’options'], seed: ['Seed (the same seed deals the same cards)', 'Graine (la même graine donne les mêmes cartes)'],
  oneDeal: ['One deal only', 'Une seule donne'], dealNumber: ['Deal number', 'Numéro de la donne'],
  dealText: ['Or four hands, such as 7C 8C … | … | … | …', 'Ou quatre mains, comme 7C 8C … | … | … | …'], dealer: ['Dealer', 'Donneur'],
  people: ['Seats for other people', 'Places pour d’autres personnes'], recent: ['Your tables', 'Vos tables'],
  noTables: ['No table yet.', 'Aucune table pour l’instant.'],
  you: ['you', 'vous'], left: ['left', 'gauche'], right: ['right', 'droite'], top: ['partner', 'partenaire'],
  us: ['We', 'Nous'], them: ['They', 'Eux'], match: ['Match', 'Partie'], dealScore: ['This deal', 'Cette donne'], of: ['of', 'sur'],
  deal: ['Deal', 'Donne'], auction: ['Auction', 'Enchères'], noContract: ['No contract yet', 'Pas encore de contrat'],
  yourCall: ['Your call', 'À vous de parler'], yourCard: ['Your card', 'À vous de jouer'], waiting: ['Waiting for', 'On attend'],
  pass: ['Pass', 'Passe'], wait: ['Wait', 'J’attends'], coinche: ['Coinche', 'Coinche'], surcoinche: ['Surcoinche', 'Surcoinche'],
  take: ['Take', 'Je prends'], capot: ['Capot', 'Capot'], generale: ['Générale', 'Générale'],
  coinched: ['coinched', 'coinché'], surcoinched: ['surcoinched', 'surcoinché'], by: ['by', 'par'], turned: ['Turned up', 'Retourne'],
  undo: ['Undo', 'Annuler'], hint: ['Hint', 'Conseil'], claim: ['Claim the rest', 'Le reste est à nous'], giveUp: ['Give up', 'Abandonner'],
  next: ['Next deal', 'Donne suivante'], nextMatch: ['Next match', 'Partie suivante'], seatsTurned: ['Same deal, seats turned', 'Même donne, places tournées'],
  leave: ['Leave', 'Quitter la table'], join: ['Come back', 'Revenir'], invite: ['Links of seats', 'Liens des places'],
  lastTrick: ['Last trick', 'Dernier pli'], tricks: ['Tricks', 'Plis'], points: ['points', 'points'],
  made: ['Made', 'Réussi'], failed: ['Failed', 'Chuté'], thrownIn: ['Passed out', 'Tout le monde passe'], forfeit: ['A bot failed: forfeit', 'Un robot a échoué : forfait'],
  won: ['You win the match', 'Vous gagnez la partie'], lost: ['They win the match', 'Ils gagnent la partie'],
  belote: ['Belote', 'Belote'], announce: ['Announce the belote?', 'Annoncer la belote ?'], yes: ['Yes', 'Oui'], no: ['No', 'Non'],
  whichMelds: ['Which melds do you announce?', 'Quelles annonces faites-vous ?'], nothing: ['nothing', 'rien'], melds: ['Melds', 'Annonces'],
  coach: ['Coach', 'Entraîneur'], eachDecision: ['After each decision', 'Après chaque décision'],
  review: ['Review the deal', 'Revoir la donne'], figures: ['Your figures', 'Vos chiffres'], reviewing: ['Thinking …', 'Réflexion …'],
  openCost: ['all hands known', 'toutes mains connues'], knownCost: ['with what you knew', 'avec ce que vous saviez'],
  perfect: ['Nothing lost', 'Rien de perdu'], better: ['better', 'mieux'], trick: ['Trick', 'Pli'], call: ['Call', 'Annonce'], card: ['Card', 'Carte'],
  auctionCost: ['The auction cost your side', 'Les enchères ont coûté à votre camp'], openIn: ['Open in the analysis board', 'Ouvrir dans l’analyse'],
  perDeal: ['points a deal', 'points par donne'], all: ['All deals', 'Toutes les donnes'], declaring: ['Declaring', 'En attaque'], defending: ['Defending', 'En défense'],
  deals: ['deals', 'donnes'], causes: ['Score lost, by cause', 'Points perdus, par cause'], cardsLost: ['Card points lost per choice', 'Points de cartes perdus par choix'],
  position: ['Position', 'Position'], hands: ['Hands', 'Mains'], legalHelp: ['Click cards to give them to the chosen seat', 'Cliquez les cartes pour les donner à la place choisie'],
  callsText: ['Calls, such as P 80H P P P', 'Enchères, comme P 80H P P P'], cardsText: ['Cards played, tricks separated by /', 'Cartes jouées, plis séparés par /'],
  random: ['Random deal', 'Donne au hasard'], clear: ['Clear', 'Vider'], back: ['Back', 'Retour'], forward: ['Forward', 'Avancer'], copyLink: ['Copy the link', 'Copier le lien'], copied: ['Copied', 'Copié'],
  variations: ['Variations', 'Variantes'], doubleDummy: ['All hands known', 'Toutes mains connues'], advice: ['For this seat alone', 'Pour cette place seule'],
  bots: ['Bots to ask', 'Robots à interroger'], score: ['score', 'score'], chance: ['chance', 'chance'], worlds: ['deals', 'donnes'], choice: ['choice', 'choix'], best: ['best in', 'meilleur dans'],
  beliefs: ['Where hidden cards are likely to be', 'Où sont sans doute les cartes cachées'], strain: ['strain', 'atout'], slam: ['slam', 'capot'], overNow: ['The deal is over', 'La donne est finie'],
  run: ['Run', 'Série'], noShelf: ['No directory of runs: start with arena serve results/runs', 'Pas de répertoire : lancez arena serve results/runs'],
  reconnect: ['Connection lost; trying again …', 'Connexion perdue ; nouvel essai …'], seat: ['Seat', 'Place'], thinking: ['thinking', 'réfléchit'],
  keys: ['Keys', 'Clavier'], keysText: ['Arrows choose, Enter plays or calls; rank and suit letters choose too (J S). U undo, H hint, N next deal.', 'Les flèches choisissent, Entrée joue ; les lettres choisissent aussi (V P). U annuler, H conseil, N donne suivante.'],
  language: ['Français', 'English'], undone: ['taken back', 'annulé'], speed: ['Speed', 'Vitesse'], slow: ['slow', 'lent'], normal: ['normal', 'normal'], fast: ['fast', 'rapide'],
  colon: [': ', ' : '], semicolon: ['; ', ' ; '], filter: ['Filter', 'Filtrer'], close: ['Close', 'Fermer'],
  set: ['Changed fields of the rules', 'Champs de règles modifiés'],
  players: ['bots', 'robots'], state: ['state', 'état'], state_done: ['done', 'terminée'], state_working: ['running', 'en cours'], state_failed: ['failed', 'en échec'], state_ready: ['to be merged', 'à réunir'], state_waiting: ['stopped', 'arrêtée'],
  decision_go_on: ['undecided so far', 'pas encore décidé'], decision_upper: ['upper bound accepted', 'borne haute acceptée'], decision_lower: ['lower bound accepted', 'borne basse acceptée'], decision_undecided: ['undecided', 'indécis'],
  verdict: ['result', 'résultat'], perSecond: ['per second', 'par seconde'], timeLeft: ['time left', 'temps restant'], moreOf: ['and {0} more', 'et {0} autres'],
  walk: ['After {0} deals the log-likelihood ratio is {1}, between {2} and {3}', 'Après {0} donnes le rapport de vraisemblance est {1}, entre {2} et {3}'],
  dealsOf: ['Deals of {0}', 'Donnes de {0}'], criterion: ['Which deals', 'Quelles donnes'], swings: ['Largest swings', 'Plus grands écarts'], slamsFailed: ['Capot failed', 'Capot chuté'], coinchedDeals: ['Coinched', 'Coinchées'],
  noDeals: ['No such deal.', 'Aucune donne de ce genre.'], noRecords: ['The run kept no record of this deal, and it cannot be played again here.', 'La série n’a pas gardé cette donne, et elle ne peut pas être rejouée ici.'],
  difference: ['difference', 'écart'], leg: ['Leg {0}', 'Manche {0}'], openEnd: ['Open the end', 'Ouvrir la fin'],
  cause_passed_out: ['passed out', 'passé'], cause_wrong_strain: ['wrong strain', 'mauvais atout'], cause_underbid: ['underbid', 'enchère trop basse'], cause_overbid: ['overbid', 'enchère trop haute'], cause_missed_capot: ['missed capot', 'capot manqué'],
  cause_sold_out: ['left to the opponents', 'laissé aux adversaires'], cause_missed_coinche: ['missed coinche', 'coinche manquée'], cause_needless_coinche: ['needless coinche', 'coinche inutile'], cause_missed_surcoinche: ['missed surcoinche', 'surcoinche manquée'], cause_needless_surcoinche: ['needless surcoinche', 'surcoinche inutile'],
  overBots: ['More than bots in your seat', 'De plus que des robots à votre place'], overPeople: ['More than people at other tables', 'De plus que les joueurs d’autres tables'],
  tierce: ['tierce', 'tierce'], fifty: ['fifty', 'cinquante'], hundred: ['hundred', 'cent'], carre: ['carré', 'carré'],
  sayBid: ['Bid {0}', 'Annoncez {0}'], sayCall: ['{0}', '{0}'], sayPlay: ['Play {0}', 'Jouez {0}'], sayOnly: ['Play {0}: no other card is legal.', 'Jouez {0} : c’est la seule carte permise.'],
  sayMade: ['made with a probability of {0}', 'réussi avec une probabilité de {0}'], sayStands: ['the standing contract is made with a probability of {0}', 'le contrat en cours est réussi avec une probabilité de {0}'],
  sayFinal: ['if it becomes the contract ({0} of the deals)', 's’il devient le contrat ({0} des donnes)'],
  sayOpen: ['all hands known, the contract is then made in {0} of the deals that fit', 'toutes mains connues, le contrat est alors réussi dans {0} des donnes possibles'],
  sayScore: ['expected score {0}', 'score attendu {0}'], sayGain: ['{0} points per deal more than a pass', '{0} points par donne de plus qu’une passe'],
  sayOther: ['{0}: {1} points per deal.', '{0} : {1} points par donne.'],
  sayAssumed: ['A bidder of the kind assumed would call {0}, which scores {1} less.', 'Un joueur du genre supposé dirait {0}, ce qui rapporte {1} de moins.'],
  sayAlike: ['A bidder of the kind assumed would call so; no other call is clearly better.', 'Un joueur du genre supposé dirait de même ; rien d’autre n’est nettement mieux.'],
  sayMost: ['{0} is best in more of the deals ({1} against {2}); average score {3} against {4}.', '{0} est mieux dans plus de donnes ({1} contre {2}) ; score moyen {3} contre {4}.'],
  sayBot: ['The figures are those of sampled deals.', 'Les chiffres viennent de donnes tirées au hasard.'],
  paste: ['Paste a record, PBN-like text or four hands', 'Collez une donne enregistrée, un texte PBN ou quatre mains'], read: ['Read', 'Lire'],
  unknown: ['{0} unknown', '{0} inconnues'], meanOf: ['Mean of {0} deals that fit', 'Moyenne de {0} donnes possibles'],
  system: ['Bidding system', 'Système d’enchères'], systemNone: ['none', 'aucun'], systemTitle: ['What {0} says of the calls', 'Ce que {0} dit des enchères'],
  systemWould: ['the system calls {0}', 'le système dit {0}'], systemFloor: ['no rule applies', 'aucune règle ne s’applique'], systemNow: ['now', 'maintenant'],
  promises: ['promises {0}–{1} trumps, {2}–{3} side aces; jack {4}, nine {5}, ace {6}, belote {7}', 'promet {0}–{1} atouts, {2}–{3} as à côté ; valet {4}, neuf {5}, as {6}, belote {7}'],
  promisesNone: ['no hand of the system makes this call', 'aucune main du système ne dit cela'],
  systemEdit: ['Edit a bidding system', 'Modifier un système d’enchères'], systemFrom: ['Start from', 'Partir de'], systemText: ['Text of the system', 'Texte du système'], save: ['Save as a file', 'Enregistrer'],
  place: ['Line {0}, column {1}', 'Ligne {0}, colonne {1}'], goThere: ['Go there', 'Y aller'],
  systemRight: ['{0}: {1} rules without a fault; they make {2} of the calls, the fallback ({3}) the rest', '{0} : {1} règles sans faute ; elles font {2} des annonces, le repli ({3}) le reste'],
  systemRules: ['Rules', 'Règles du système'], systemRule: ['rule', 'règle'], systemCalls: ['calls', 'annonces'], systemNotHere: ['not under these rules', 'pas sous ces règles'],
  systemDeals: ['Calls in {0} deals', 'Annonces de {0} donnes'], systemChanged: ['only deals bid differently since you opened the text ({0})', 'seulement les donnes annoncées autrement depuis l’ouverture du texte ({0})'], systemOther: ['bid differently', 'annoncée autrement'],
  runTitle: ['Play it against another bidder', 'Le jouer contre un autre'], runAgainst: ['Opponents bid by', 'Les adversaires enchérissent par'], runDeals: ['Deals', 'Donnes'], runStart: ['Play', 'Lancer'], stop: ['Stop', 'Arrêter'],
  runMore: ['Better: {0} points per deal more than {1}', 'Meilleur : {0} points par donne de plus que {1}'], runLess: ['Worse: {0} points per deal less than {1}', 'Moins bon : {0} points par donne de moins que {1}'], runEqual: ['No significant difference: {0} points per deal against {1}', 'Pas de différence significative : {0} points par donne contre {1}'],
  runSoFar: ['{0} of {1} deals, {2} per second', '{0} sur {1} donnes, {2} par seconde'], runDiffer: ['{0} of them scored differently', '{0} d’entre elles comptées autrement'], seedIs: ['seed {0}', 'graine {0}'],
  runNote: ['Each deal is played twice, with the system on either side; all cards by the bot rules. The 95 % interval is for the number of deals chosen: it does not hold if you stop when you like the result.', 'Chaque donne est jouée deux fois, avec le système dans chaque camp ; toutes les cartes par le robot rules. L’intervalle à 95 % vaut pour le nombre de donnes choisi : pas si vous arrêtez quand le résultat vous plaît.'],
};
const RANKS = [{ T: '10' }, { T: '10', J: 'V', Q: 'D', K: 'R' }];
const RANK_WORDS = [
  { 7: 'seven', 8: 'eight', 9: 'nine', T: 'ten', J: 'jack', Q: 'queen', K: 'king', A: 'ace' },
  { 7: 'sept', 8: 'huit', 9: 'neuf', T: 'dix', J: 'valet', Q: 'dame', K: 'roi', A: 'as' },
];
const SUIT_WORDS = [
  { C: 'clubs', D: 'diamonds', H: 'hearts', S: 'spades', SA: 'no trump', TA: 'all trump' },
  { C: 'trèfle', D: 'carreau', H: 'cœur', S: 'pique', SA: 'sans atout', TA: 'tout atout' },
];
export const SYMBOLS = { C: '♣', D: '♦', H: '♥', S: '♠', SA: 'SA', TA: 'TA' };
export const SUITS = ['S', 'H', 'C', 'D'];
export const RANK_ORDER = ['7', '8', '9', 'T', 'J', 'Q', 'K', 'A'];

let language = (localStorage.getItem('language') || (navigator.language || 'en').slice(0, 2)) === 'fr' ? 1 : 0;
document.documentElement.lang = language ? 'fr' : 'en';
export const lang = () => language;
export function setLanguage(next) {
  language = next;
  localStorage.setItem('language', next ? 'fr' : 'en');
  document.documentElement.lang = next ? 'fr' : 'en';
}
/// A text of the catalogue, in which {0}, {1} … stand for values.
export const t = (key, ...values) => (WORDS[key]?.[language] ?? key).replace(/\{(\d)\}/g, (_, n) => values[n]);
/// A number with this many decimals.
export const fixed = (n, digits = 0) => n.toFixed(digits).replace('.', language ? ',' : '.');
export const rankText = (rank) => RANKS[language][rank] || rank;
export const rankKey = (rank) => (rank === 'T' ? ['t', '1', '0'] : language && RANKS[1][rank] ? [rank.toLowerCase(), RANKS[1][rank].toLowerCase()] : [rank.toLowerCase()]);
export const suitKey = (suit) => (language ? { C: 't', D: 'k', H: 'c', S: 'p' }[suit] : suit.toLowerCase());
export const suitWord = (suit) => SUIT_WORDS[language][suit];
export const cardWords = (card) => `${RANK_WORDS[language][card[0]]} ${language ? 'de' : 'of'} ${suitWord(card[1])}`;
export const cardText = (card) => `${rankText(card[0])}${SYMBOLS[card[1]]}`;
export const whole = (n) => (n == null ? '' : n.toLocaleString(language ? 'fr' : 'en'));
export const signed = (n, digits = 0) => `${n > 0 ? '+' : n < 0 ? '−' : ''}${fixed(Math.abs(n), digits)}`;
export const percent = (share) => `${Math.round(100 * share)} %`;
/// An estimate with half of its interval.
export const estimate = (pair) => (pair?.[0] == null ? '–' : `${signed(pair[0], 1)}${pair[1] != null ? ` ± ${fixed(pair[1], 1)}` : ''}`);

/// Splits a bid such as 80H or CAPOTSA into value and strain.
export function bidParts(call) {
  const found = call.match(/^(\d+|CAPOT|GENERALE|TAKE)(SA|TA|[CDHS])$/);
  return found && { value: found[1], strain: found[2] };
}
const valueText = (value) => ({ CAPOT: t('capot'), GENERALE: t('generale'), TAKE: '' })[value] ?? value;
export function callText(text) {
  // A seat may be named, as in 3:X.
  const call = text.replace(/^\d:/, '');
  const plain = { P: t('pass'), W: t('wait'), X: t('coinche'), XX: t('surcoinche'), TAKE: t('take') }[call];
  if (plain) return plain;
  const take = call.match(/^TAKE ([CDHS])$/);
  if (take) return `${t('take')} ${SYMBOLS[take[1]]}`;
  const bid = bidParts(call);
  return bid ? `${valueText(bid.value)} ${SYMBOLS[bid.strain]}`.trim() : call;
}
export { valueText };

/// The cards of a hand in order: the trump suit first, colours in turn, strong cards first.
export function sortHand(cards, strain) {
  const suits = ['S', 'H', 'C', 'D'];
  if (suits.includes(strain)) suits.sort((a, b) => (b === strain) - (a === strain));
  const held = suits.filter((suit) => cards.some((card) => card[1] === suit));
  const strength = (card) => ((card[1] === strain || strain === 'TA') ? '78QKTA9J' : '789JQKTA').indexOf(card[0]);
  return [...cards].sort((a, b) => held.indexOf(a[1]) - held.indexOf(b[1]) || strength(b) - strength(a));
}

// Cards ---------------------------------------------------------------------------------------------------------------

const SHAPES = {
  H: 'M10 18.6C3.4 13.2.6 9.9.6 6.2A4.9 4.9 0 0 1 10 4.3 4.9 4.9 0 0 1 19.4 6.2C19.4 9.9 16.6 13.2 10 18.6Z',
  D: 'M10 .6C12 4.2 14.4 7.3 17.4 10 14.4 12.7 12 15.8 10 19.4 8 15.8 5.6 12.7 2.6 10 5.6 7.3 8 4.2 10 .6Z',
  S: 'M10 .6C12.2 4.6 19.2 8 19.2 12.6A4.4 4.4 0 0 1 11.2 15.2C11.4 17 12 18.4 13.2 19.4H6.8C8 18.4 8.6 17 8.8 15.2A4.4 4.4 0 0 1 .8 12.6C.8 8 7.8 4.6 10 .6Z',
  C: 'M10 .6A4.4 4.4 0 0 1 13.6 7.5 4.5 4.5 0 1 1 11.2 14.4C11.4 16.6 12 18.3 13.2 19.4H6.8C8 18.3 8.6 16.6 8.8 14.4A4.5 4.5 0 1 1 6.4 7.5 4.4 4.4 0 0 1 10 .6Z',
};
const PIPS = {
  7: [[20, 24], [40, 24], [20, 42], [40, 42], [20, 60], [40, 60], [30, 33]],
  8: [[20, 24], [40, 24], [20, 42], [40, 42], [20, 60], [40, 60], [30, 33], [30, 51]],
  9: [[20, 22], [40, 22], [20, 35], [40, 35], [30, 42], [20, 49], [40, 49], [20, 62], [40, 62]],
  T: [[20, 22], [40, 22], [30, 28.5], [20, 35], [40, 35], [20, 49], [40, 49], [30, 55.5], [20, 62], [40, 62]],
};
// Drawn for this page: a crown with five points for the king, with three for the queen, a cap with a feather for the jack.
const COURTS = {
  K: 'M18 47V33l5 5 3.5-9L30 37l3.5-8 3.5 9 5-5v14ZM18 50h24v3.5H18ZM30 21.5v6M27.5 24h5',
  Q: 'M18 47l-1.5-12 6.5 5 7-11 7 11 6.5-5L42 47ZM18 50h24v3.5H18ZM30 22.6a2.2 2.2 0 1 1 .1 0M15.6 31.6a1.7 1.7 0 1 1 .1 0M44.3 31.6a1.7 1.7 0 1 1 .1 0',
  J: 'M17 45c0-8 5-13 13-13s13 5 13 13ZM16 48.500h28v4H16ZM38 32c2-6 0-10-4-12.500 0 5-1 8 .500 12',
};

const Suit = ({ suit, x, y, size, turned }) => html`<path d=${SHAPES[suit]} transform=${`translate(${x - size / 2} ${y - size / 2}) scale(${size / 20})${turned ? ' rotate(180 10 10)' : ''}`} />`;

/// A suit as a picture in a line of text.
export const Pip = ({ suit }) => html`<svg class=${`pip ${'DH'.includes(suit) ? 'red' : 'black'}`} viewBox="0 0 20 20" aria-hidden="true"><path d=${SHAPES[suit]} /></svg>`;

/// A strain in a line of text.
export const Strain = ({ strain }) => (SHAPES[strain] ? html`<${Pip} suit=${strain} /><span class="hidden">${suitWord(strain)}</span>` : html`<span aria-hidden="true">${SYMBOLS[strain]}</span><span class="hidden">${suitWord(strain)}</span>`);

/// A card face.
export function Face({ card }) {
  const [rank, suit] = card;
  const corner = html`<g><text x="8.500" y="16" text-anchor="middle" class=${rank === 'T' ? 'ten' : ''}>${rankText(rank)}</text><${Suit} suit=${suit} x=${8.5} y=${24} size=${10} /></g>`;
  const middle = PIPS[rank]
    ? PIPS[rank].map(([x, y]) => html`<${Suit} suit=${suit} x=${x} y=${y} size=${12} turned=${y > 42} />`)
    : rank === 'A' ? html`<${Suit} suit=${suit} x=${30} y=${42} size=${26} />`
      : html`<rect class="panel" x="13" y="13" width="34" height="58" rx="3" /><path class="court" d=${COURTS[rank]} /><${Suit} suit=${suit} x=${30} y=${62} size=${11} />`;
  return html`<svg class=${`face ${'DH'.includes(suit) ? 'red' : 'black'}`} viewBox="0 0 60 84" aria-hidden="true">
    <rect class="paper" x=".5" y=".5" width="59" height="83" rx="5" />${middle}${corner}<g transform="rotate(180 30 42)">${corner}</g></svg>`;
}

export const Back = () => html`<svg class="face back" viewBox="0 0 60 84" aria-hidden="true"><rect class="paper" x=".5" y=".5" width="59" height="83" rx="5" /><rect class="weave" x="5" y="5" width="50" height="74" rx="3" /><path class="lines" d="M5 24 24 5M5 43 43 5M5 62 55 12M5 79 55 31M17 79 55 50M36 79 55 69M36 5 55 24M17 5 55 43M5 12 55 62M5 31 53 79M5 50 34 79M5 69 15 79" /></svg>`;

/// What is wrong, in the language of the page where the text is known in it.
export function Problem({ text }) {
  if (!text) return null;
  const words = language ? french(text) : text;
  return html`<p class="error" role="alert" lang=${words ? null : 'en'}>${words ?? text}</p>`;
}

/// Call of a list, with its suit drawn.
export function CallView({ call }) {
  const bid = bidParts(call) || (call.startsWith('TAKE ') && { value: t('take'), strain: call.slice(5) });
  return bid ? html`<span class="call">${valueText(bid.value)} <${Strain} strain=${bid.strain} /></span>` : html`<span class="call">${callText(call)}</span>`;
}

export const stored = (key, fallback) => localStorage.getItem(key) ?? fallback;
export const store = (key, value) => localStorage.setItem(key, value);

const isCard = (choice) => /^[789TJQKA][CDHS]$/.test(choice);
export const choiceText = (choice) => (isCard(choice) ? cardText(choice) : callText(choice));

/// An advice in sentences: those of `arena advise`.
export function adviceWords(advice) {
  const find = (choice) => advice.options.find((it) => it.choice === choice);
  const own = find(advice.advice);
  const what = choiceText(advice.advice);
  const facts = [];
  const words = [];
  if (isCard(advice.advice)) {
    if (advice.options.length === 1) return t('sayOnly', what);
    if (own?.chance != null) facts.push(t('sayOpen', percent(own.chance)));
    if (own?.score) facts.push(t('sayScore', estimate(own.score)));
  } else {
    const bids = bidParts(advice.advice) || advice.advice.startsWith('TAKE');
    if (own?.chance != null) facts.push(t(bids ? 'sayMade' : 'sayStands', percent(own.chance)) + (bids && own.final != null ? `, ${t('sayFinal', percent(own.final))}` : ''));
    if (own?.over_pass) facts.push(t('sayGain', estimate(own.over_pass)));
  }
  const verb = isCard(advice.advice) ? 'sayPlay' : bidParts(advice.advice) ? 'sayBid' : 'sayCall';
  words.push(`${t(verb, what)}${facts.length ? `${t('colon')}${facts.join(', ')}` : ''}.`);
  const other = advice.options.find((it) => !['P', 'W'].includes(it.choice));
  if (['P', 'W'].includes(advice.advice) && other?.over_pass) words.push(t('sayOther', choiceText(other.choice), estimate(other.over_pass)));
  if (advice.figures_of_others) words.push(t('sayBot'));
  if (advice.assumed && advice.options.length > 1) words.push(advice.assumed.call === advice.advice ? t('sayAlike') : t('sayAssumed', choiceText(advice.assumed.call), estimate(advice.assumed.gain)));
  const most = advice.options.reduce((best, it) => ((it.best ?? 0) > (best?.best ?? 0) ? it : best), own);
  if (own?.score && most?.score && most !== own) words.push(t('sayMost', choiceText(most.choice), percent(most.best), percent(own.best ?? 0), signed(most.score[0], 1), signed(own.score[0], 1)));
  return words.join(' ');
}
