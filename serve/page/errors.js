// What the server answers when something is wrong, in both languages: {0}, {1} … stand for values, which may be such texts themselves.
// What the terminal says too, why cards and calls are refused among it, is in REFUSALS, which the server writes from its catalogue.
import { REFUSALS } from './refusals.js';

export const ERRORS = [
  // Who may ask.
  ['there is no such page', 'cette page n’existe pas'],
  ['you have no seat at this table: open the link of a seat', 'vous n’avez pas de place à cette table : ouvrez le lien d’une place'],
  ['only whoever started the server may do this: open the address that it printed', 'seul celui qui a lancé le serveur le peut : ouvrez l’adresse qu’il a affichée'],
  ['this server answers to 127.0.0.1 and localhost alone; see `arena serve --listen`', 'ce serveur ne répond qu’à 127.0.0.1 et localhost ; voir `arena serve --listen`'],
  ['the request comes from another page', 'la demande vient d’une autre page'],
  ['the request has no Host', 'la demande n’a pas de champ Host'],
  ['send JSON as application/json', 'envoyez du JSON en application/json'],
  ['the request: {0}', 'la demande : {0}'],
  ['the page has left', 'la page a été quittée'],
  // The table.
  ['there is no such table', 'cette table n’existe pas'],
  ['there is no action `{0}`', 'il n’y a pas d’action `{0}`'],
  ['there are {0} tables: move some out of {1}, and start again', 'il y a {0} tables : sortez-en de {1}, puis recommencez'],
  ['this table has one deal: make another table', 'cette table n’a qu’une donne : ouvrez-en une autre'],
  ['it is not your turn', 'ce n’est pas à vous'],
  ['it is the turn of seat {0}, and you are seat {1}', 'c’est à la place {0}, et vous êtes à la place {1}'],
  ['the deal is over: it is on record', 'la donne est finie : elle est enregistrée'],
  ['the deal is over', 'la donne est finie'],
  ['the auction is not over', 'les enchères ne sont pas finies'],
  ['this is not possible now', 'ce n’est pas possible maintenant'],
  ['the move is not possible here', 'ce coup n’est pas possible ici'],
  ['the solver disagrees: best play takes {0} of the points to come from you', 'le solveur n’est pas d’accord : au mieux, l’adversaire vous prend {0} des points à venir'],
  ['melds: there are fewer choices', 'annonces : il y a moins de choix'],
  ['the bots at this table have no models', 'les robots de cette table n’ont pas de modèle'],
  ['there are no models', 'il n’y a pas de modèle'],
  ['it has the program `{0}`: name it again with --bot', 'elle utilise le programme `{0}` : nommez-le de nouveau avec --bot'],
  ['its deck is not one of 32 cards', 'son jeu n’a pas 32 cartes'],
  ['call: expected a call such as `80H`', 'annonce : attendue sous la forme `80H`'],
  ['card: expected a card such as `JS`', 'carte : attendue sous la forme `JS`'],
  ['the number of the deal: expected at most 999999999', 'le numéro de la donne : au plus 999999999'],
  ['a name has 1 to 40 letters, and no control characters', 'un nom a de 1 à 40 lettres, sans caractères de contrôle'],
  ['a seed has at most 100 letters', 'une graine a au plus 100 lettres'],
  ['seed: {0}', 'graine : {0}'],
  // Bots and rules. The terminal calls a bot `bot`, the page `robot`.
  ['a bot has at most {0} letters', 'un robot a au plus {0} lettres'],
  ['a program is only started from the command line: `arena serve --bot`', 'un programme ne se lance que de la ligne de commande : `arena serve --bot`'],
  ['`{0}`: files are only read from the command line: `arena serve --bot`', '`{0}` : les fichiers ne se lisent que de la ligne de commande : `arena serve --bot`'],
  ['time={0}: expected at most 10s', 'time={0} : au plus 10s'],
  ['worlds={0}: expected at most {1}', 'worlds={0} : au plus {1}'],
  ['there are no rules `{0}`: expected one of {1}', 'il n’y a pas de règles `{0}` : attendu {1}'],
  ['set: too many or too long settings', 'champs de règles : trop nombreux ou trop longs'],
  ['{0}: a program, or a bidder that searches, is too slow here: use `arena run`', '{0} : un programme, ou un robot qui cherche, est trop lent ici : utilisez `arena run`'],
  ['{0}: a program, or a bot that sees all hands, cannot be asked here', '{0} : un programme, ou un robot qui voit toutes les mains, ne peut pas être interrogé ici'],
  ['at most {0} bots are asked at a time', 'au plus {0} robots à la fois'],
  ['there is no bot `{0}`{1}: expected one of {2}, a program `cmd:COMMAND` or `python:FILE.py:NAME`, or two of them as `bidder+player`', 'il n’y a pas de robot `{0}`{1} : attendu {2}, un programme `cmd:COMMANDE` ou `python:FICHIER.py:NOM`, ou deux d’entre eux comme `enchérisseur+joueur`'],
  ['bot `{0}` does not bid: name a bidder before it, as in `rules+{1}`', 'le robot `{0}` n’enchérit pas : mettez-en un devant qui le fait, comme `rules+{1}`'],
  ['bot `{0}` does not play cards: name a card player after it, as in `{1}+rules`', 'le robot `{0}` ne joue pas de cartes : mettez-en un derrière qui le fait, comme `{1}+rules`'],
  ['bot `{0}` has no parameter `{1}`{2}: expected {3}', 'le robot `{0}` n’a pas de paramètre `{1}`{2} : attendu {3}'],
  ['bot `{0}`: `{1}` cannot be `{2}`: expected {3}', 'robot `{0}` : `{1}` ne peut pas être `{2}` : attendu {3}'],
  ['bot `{0}` cannot bid under these rules: {1}; name another bidder, as in `rules+{2}`', 'le robot `{0}` ne peut pas enchérir sous ces règles : {1} ; prenez-en un autre, comme `rules+{2}`'],
  ['bot `{0}`: `{1}`: {2}', 'robot `{0}` : `{1}` : {2}'],
  ['`{0}` is not a bot: expected `name:key=value,…` or `bidder+player`', '`{0}` n’est pas un robot : attendu `nom:clé=valeur,…` ou `enchérisseur+joueur`'],
  // The board.
  ['the position is too long', 'la position est trop longue'],
  ['hands: no deal has these cards, calls and plays', 'mains : aucune donne n’a ces cartes, ces annonces et ces coups'],
  ['hands: seat {0} has more than 8 cards', 'mains : la place {0} a plus de 8 cartes'],
  ['turned: these rules turn a card; say which', 'retourne : ces règles retournent une carte ; dites laquelle'],
  ['tricks: a card is there twice, or all have been played', 'plis : une carte y est deux fois, ou toutes ont été jouées'],
  ['expected a record (a line of JSON), a deal in the form of `arena show --pbn`, or four hands joined by `|`', 'attendu une donne enregistrée (une ligne de JSON), une donne sous la forme de `arena show --pbn`, ou quatre mains séparées par `|`'],
  ['auction, call {0}: {1}', 'enchères, annonce {0} : {1}'],
  ['card 1: the auction is not over', 'carte 1 : les enchères ne sont pas finies'],
  ['card {0}: {1}', 'carte {0} : {1}'],
  ['dealer: {0}', 'donneur : {0}'], ['hands: {0}', 'mains : {0}'], ['turned: {0}', 'retourne : {0}'],
  // The shelf.
  ['there is no shelf: name a directory, `arena serve results/runs`', 'il n’y a pas de séries : nommez un répertoire, `arena serve results/runs`'],
  ['there is no such run on the shelf', 'cette série n’existe pas'],
  // Systems.
  ['the system has more than {0} bytes: leave out what no rule needs', 'le système a plus de {0} octets : retirez ce dont aucune règle n’a besoin'],
  ['deals: expected 2 to {0}', 'donnes : de 2 à {0}'],
  ['system: {0}', 'système : {0}'],
  // What is in these texts.
  ['seat: {0}', 'place : {0}'],
];

const learned = new Map();
/// Keeps the French of a text that came with it.
export const learn = (text, words) => learned.set(text, words);

let known;
const compile = () => [...ERRORS, ...REFUSALS].map(([english, french]) => [
  new RegExp(`^${english.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\d\}/g, '(.*?)')}$`, 's'), french,
]);

/// The French of a text of the server, with its parts; null where there is none. It is the terminal's `error_in`.
export function french(text) {
  if (learned.has(text)) return learned.get(text);
  known ??= compile();
  const inner = text.trimStart();
  for (const [pattern, words] of known) {
    const found = inner.match(pattern);
    if (found) {
      return text.slice(0, text.length - inner.length) + words.replace(/\{(\d)\}/g, (_, n, at) => {
        const value = found[Number(n) + 1];
        const isQuoted = words.slice(0, at).split('`').length % 2 === 0;
        return (isQuoted ? null : french(value)) ?? value;
      });
    }
  }
  const [, before, sign, rest] = text.match(/^([^\n]*?)(: )(.*)$/s) ?? text.trimEnd().match(/^(.*)(\n)(.*)$/s) ?? [];
  const told = rest ? french(rest) : null;
  return told && before + sign.replace(':', '\u00a0:') + told;
}
