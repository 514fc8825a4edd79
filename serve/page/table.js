// The table: a game with bots and other people, and the coach.
import { html, useState, useEffect, useRef, useMemo } from './preact.js';
import { api, Problem, stream, t, lang, Face, Back, Strain, CallView, sortHand, cardWords, cardText, callText, choiceText, adviceWords, bidParts, valueText, rankKey, suitKey, estimate, fixed, percent, stored, store, SYMBOLS } from './shared.js';
import { boardLink } from './board.js';

const DELAYS = { slow: [900, 1800], normal: [420, 1000], fast: [60, 250] };

/// The seats as the viewer sees them: bottom, left, top, right.
const places = (state) => {
  const at = (n) => (state.seat + n) % 4;
  return state.rules.clockwise ? { bottom: at(0), left: at(1), top: at(2), right: at(3) } : { bottom: at(0), right: at(1), top: at(2), left: at(3) };
};
const placeOf = (state, seat) => Object.entries(places(state)).find(([, other]) => other === seat)[0];
export const playerName = (state, seat) => {
  const player = state.players[seat];
  if (seat === state.seat) return t('you');
  return player.here ? player.name : `${t(placeOf(state, seat))} · ${player.bot}`;
};
const shortName = (state, seat) => (seat === state.seat ? t('you') : state.players[seat].here ? state.players[seat].name : t(placeOf(state, seat)));

/// All cards of the deal in the order played, with their seats.
function playedCards(state) {
  const cards = state.tricks.flatMap((trick) => trick.cards.map((card, n) => ({ card, seat: (trick.leader + n) % 4 })));
  return cards.concat(state.trick.map(([seat, card]) => ({ card, seat })));
}

/// Watches a table; what is told of it comes back, and whether the connection stands.
function useTable(id, token) {
  const [state, setState] = useState(null);
  const [error, setError] = useState(null);
  const [broken, setBroken] = useState(false);
  const take = (next) => setState((old) => (old && old.id === next.id && old.v > next.v && !next.fresh ? old : next));
  useEffect(() => {
    const end = new AbortController();
    let timer = 0;
    setState(null);
    const watch = async () => {
      try {
        const first = await api(`tables/${id}`, { token, signal: end.signal });
        setState(first);
        setBroken(false);
        await stream(`tables/${id}/events`, { token, signal: end.signal }, (name, value) => name === 'state' && take(value));
      } catch (problem) {
        if (end.signal.aborted) return;
        if (problem instanceof TypeError) setBroken(true);
        else { setError(problem.message); return; }
      }
      if (!end.signal.aborted) { setBroken(true); timer = setTimeout(watch, 1000); }
    };
    watch();
    return () => { end.abort(); clearTimeout(timer); };
  }, [id, token]);
  return { state, take, error, setError, broken };
}

/// Shows cards and calls one after the other, though they may come at once.
function usePace(state, speed) {
  const [shown, setShown] = useState(null);
  const key = state && `${state.id} ${state.deals} ${state.deal}`;
  const calls = state ? state.auction.length : 0;
  const cards = state ? playedCards(state).length : 0;
  let now = shown;
  if (state && (!shown || shown.key !== key)) {
    // A deal that is met in the middle is shown as it is.
    now = { key, calls: shown && shown.key !== key ? 0 : calls, cards: shown && shown.key !== key ? 0 : cards, rest: false };
  } else if (state && (shown.calls > calls || shown.cards > cards)) {
    now = { key, calls: Math.min(shown.calls, calls), cards: Math.min(shown.cards, cards), rest: false };
  }
  useEffect(() => {
    if (!state) return undefined;
    if (now !== shown) { setShown(now); return undefined; }
    const [step, rest] = DELAYS[speed];
    let next = null;
    let delay = step;
    if (now.calls < calls) next = { ...now, calls: now.calls + 1 };
    else if (now.cards > 0 && now.cards % 4 === 0 && !now.rest) { next = { ...now, rest: true }; delay = rest; }
    else if (now.cards < cards) next = { ...now, cards: now.cards + 1, rest: false };
    if (!next) return undefined;
    const timer = setTimeout(() => setShown(next), delay);
    return () => clearTimeout(timer);
  }, [state, shown, speed, now?.key]);
  const ready = !!now && now.calls === calls && now.cards === cards && (now.cards % 4 !== 0 || now.cards === 0 || now.rest);
  const hurry = () => state && setShown({ key, calls, cards, rest: true });
  return { calls: now?.calls ?? 0, cards: now?.cards ?? 0, rest: now?.rest ?? false, ready, hurry };
}

function Plate({ state, seat, place, pace, hidden }) {
  const player = state.players[seat];
  const turn = pace.ready && state.turn?.seat === seat;
  const last = state.auction.slice(0, pace.calls).filter(([caller]) => caller === seat).at(-1)?.[1];
  const speaking = !state.contract || pace.calls < state.auction.length;
  return html`<div class=${`plate ${place} ${turn ? 'turn' : ''}`}>
    <span class="who">${state.dealer === seat && html`<span class="dealer" title=${t('dealer')}>D</span>`}
      <b>${seat === state.seat ? t('you') : player.here ? player.name : t(place)}</b>
      ${seat !== state.seat && !player.here && html`<small>${player.bot}</small>`}
      ${state.contract?.declarer === seat && !speaking && html`<span class="bidder"><${CallView} call=${state.contract.bid} /></span>`}
      ${turn && seat !== state.seat && html`<small class="thinks">${player.here ? '…' : t('thinking')}</small>`}</span>
    ${hidden && html`<span class="backs" aria-hidden="true">${Array.from({ length: hidden }, () => html`<${Back} />`)}</span>`}
    ${speaking && last && html`<span class="said"><${CallView} call=${last} /></span>`}
    ${state.melds[seat].length > 0 && pace.cards > 0 && pace.cards <= 8 && html`<small class="melds">${state.melds[seat].map((kind) => t(kind)).join(', ')}</small>`}
  </div>`;
}

function Trick({ state, pace }) {
  const cards = playedCards(state).slice(0, pace.cards);
  const resting = cards.length % 4 === 0 && cards.length > 0;
  const start = resting ? (pace.rest ? cards.length : cards.length - 4) : cards.length - (cards.length % 4);
  const done = resting && !pace.rest ? state.tricks[cards.length / 4 - 1] : null;
  return html`<div class="trick" aria-hidden="true">
    ${cards.slice(start).map(({ card, seat }) => html`<div key=${card} class=${`played ${placeOf(state, seat)} ${done && done.winner === seat ? 'wins' : ''}`}><${Face} card=${card} /></div>`)}
  </div>`;
}

/// The cards in hand, as buttons: arrows, letters, mouse and touch.
function Hand({ cards, legal, active, onPlay, strain }) {
  const box = useRef(null);
  const sorted = sortHand(cards, strain);
  const prefix = useRef('');
  const buttons = () => [...(box.current?.querySelectorAll('button') || [])];
  const focus = (card) => buttons().find((button) => button.dataset.card === card)?.focus();
  useEffect(() => {
    if (active && !document.activeElement?.closest('dialog, input, select, .panel')) focus(sorted.find((card) => legal.includes(card)));
  }, [active, legal.join()]);
  useEffect(() => {
    if (!active) return undefined;
    const press = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea')) return;
      const key = event.key.toLowerCase();
      if (prefix.current) {
        const found = legal.find((card) => card[0] === prefix.current && suitKey(card[1]) === key);
        prefix.current = '';
        if (found) { focus(found); event.preventDefault(); event.stopImmediatePropagation(); return; }
      }
      const found = sorted.find((card) => legal.includes(card) && rankKey(card[0]).includes(key));
      if (found) { prefix.current = found[0]; focus(found); event.preventDefault(); event.stopImmediatePropagation(); }
    };
    window.addEventListener('keydown', press, true);
    return () => window.removeEventListener('keydown', press, true);
  }, [active, legal.join(), lang()]);
  const move = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const all = buttons();
    const open = active ? all.filter((button) => legal.includes(button.dataset.card)) : all;
    const at = open.indexOf(document.activeElement);
    open[(at + step + open.length) % open.length]?.focus();
    event.preventDefault();
  };
  return html`<div class="hand" ref=${box} role="group" aria-label=${t('hands')} onKeyDown=${move}>
    ${sorted.map((card, n) => {
      const may = active && legal.includes(card);
      return html`<button key=${card} class=${`card ${may ? 'may' : ''} ${active && !may ? 'not' : ''}`} data-card=${card} aria-disabled=${!may} tabIndex=${may || !active ? 0 : -1} style=${{ '--n': n }} onClick=${() => may && onPlay(card)}><span class="hidden">${cardWords(card)}</span><${Face} card=${card} /></button>`;
    })}
  </div>`;
}

/// The box of calls: a value first, then the suit makes the call.
function AuctionBox({ legal, onCall }) {
  const bids = legal.map(bidParts).filter(Boolean);
  const values = [...new Set(bids.map((bid) => bid.value))];
  const [value, setValue] = useState(values[0]);
  const chosen = values.includes(value) ? value : values[0];
  const strains = bids.filter((bid) => bid.value === chosen).map((bid) => bid.strain);
  const box = useRef(null);
  useEffect(() => { if (!document.activeElement?.closest('dialog, input, select, .panel')) box.current?.querySelector('.plain button')?.focus(); }, [legal.join()]);
  useEffect(() => {
    let digits = '';
    const press = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea')) return;
      const key = event.key.toLowerCase();
      if (/^[0-9]$/.test(key)) {
        digits += key;
        if (values.includes(digits)) setValue(digits);
        if (!values.some((each) => each.startsWith(digits))) digits = '';
        return;
      }
      if (digits) {
        const strain = strains.find((each) => suitKey(each)?.startsWith(key));
        digits = '';
        if (strain && SYMBOLS[strain].length === 1) { event.stopImmediatePropagation(); event.preventDefault(); onCall(`${chosen}${strain}`); return; }
      }
      if (key === 'p' && legal.includes('P')) { event.stopImmediatePropagation(); onCall('P'); }
      if (key === 'x' && legal.includes('X')) { event.stopImmediatePropagation(); onCall('X'); }
    };
    window.addEventListener('keydown', press, true);
    return () => window.removeEventListener('keydown', press, true);
  });
  const arrows = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -99, ArrowDown: 99 }[event.key];
    if (!step) return;
    const rows = [...box.current.querySelectorAll('.row')];
    const row = document.activeElement.closest('.row');
    const own = [...row.querySelectorAll('button')];
    const next = Math.abs(step) === 1
      ? own[(own.indexOf(document.activeElement) + step + own.length) % own.length]
      : rows[(rows.indexOf(row) + Math.sign(step) + rows.length) % rows.length].querySelector('[aria-pressed=true], button');
    next?.focus();
    event.preventDefault();
  };
  const plain = legal.filter((call) => !bidParts(call));
  return html`<div class="calls" ref=${box} role="group" aria-label=${t('yourCall')} onKeyDown=${arrows}>
    ${values.length > 0 && html`<div class="row values">${values.slice(0, 24).map((each) => html`<button aria-pressed=${each === chosen} onClick=${() => setValue(each)}>${valueText(each)}</button>`)}</div>
    <div class="row strains">${strains.map((strain) => html`<button onClick=${() => onCall(`${chosen}${strain}`)}>${valueText(chosen)} <${Strain} strain=${strain} /></button>`)}</div>`}
    <div class="row plain">${plain.map((call) => html`<button class=${call === 'X' || call === 'XX' ? 'sharp' : ''} onClick=${() => onCall(call)}><${CallView} call=${call} /></button>`)}</div>
  </div>`;
}

function Scores({ state, pace }) {
  const own = state.seat % 2;
  const [us, them] = [own, 1 - own];
  const base = state.match?.score ?? [0, 0];
  const total = state.over ? state.over.total : base;
  const shownTricks = state.tricks.slice(0, pace.rest ? pace.cards / 4 : Math.max(0, Math.floor((pace.cards - 1) / 4)));
  const points = [0, 0];
  for (const trick of shownTricks) points[trick.winner % 2] += trick.points;
  return html`<table class="scores"><thead><tr><td></td><th scope="col">${t('us')}</th><th scope="col">${t('them')}</th></tr></thead><tbody>
    ${state.match && html`<tr><th scope="row">${t('match')} <small>${t('of')} ${state.rules.target}</small></th><td>${total[us]}</td><td>${total[them]}</td></tr>`}
    <tr><th scope="row">${t('dealScore')}</th><td>${points[us]}</td><td>${points[them]}</td></tr>
    <tr><th scope="row">${t('tricks')}</th><td>${shownTricks.filter((trick) => trick.winner % 2 === us).length}</td><td>${shownTricks.filter((trick) => trick.winner % 2 === them).length}</td></tr></tbody></table>`;
}

export function ContractLine({ state }) {
  const contract = state.contract ?? state.standing;
  if (!contract) return html`<p class="contract none">${t('noContract')}</p>`;
  return html`<p class="contract"><b><${CallView} call=${contract.bid} /></b> ${t('by')} ${shortName(state, contract.declarer)}
    ${contract.stake !== 'plain' && html`<em> ${t(contract.stake === 'coinche' ? 'coinched' : 'surcoinched')}</em>`}</p>`;
}

function AuctionList({ state, pace }) {
  const first = (state.dealer + 1) % 4;
  const order = [0, 1, 2, 3].map((n) => (first + n) % 4);
  const calls = state.auction.slice(0, pace.calls);
  const rows = [];
  let at = first;
  let row = [null, null, null, null];
  for (const [seat, call] of calls) {
    const column = order.indexOf(seat);
    if (column < order.indexOf(at) || row[column]) { rows.push(row); row = [null, null, null, null]; }
    row[column] = call;
    at = (seat + 1) % 4;
    if (at === first) { rows.push(row); row = [null, null, null, null]; }
  }
  if (row.some(Boolean)) rows.push(row);
  return html`<table class="auction"><caption>${t('auction')}</caption><thead><tr>${order.map((seat) => html`<th scope="col">${shortName(state, seat)}</th>`)}</tr></thead>
    <tbody>${rows.map((cells) => html`<tr>${cells.map((call) => html`<td>${call && html`<${CallView} call=${call} />`}</td>`)}</tr>`)}</tbody></table>`;
}

function Outcome({ state }) {
  const { over } = state;
  const own = state.seat % 2;
  const score = [over.score[own], over.score[1 - own]];
  const head = over.forfeit !== undefined ? t('forfeit') : over.made === undefined ? t('thrownIn') : over.made ? t('made') : t('failed');
  return html`<div class="outcome" role="status"><h2>${head}</h2>
    ${state.contract && html`<${ContractLine} state=${state} />`}
    <p class="big"><b>${score[0]}</b> – <b>${score[1]}</b></p>
    ${over.card_points && html`<p>${over.card_points[own]} – ${over.card_points[1 - own]} ${t('points')} · ${over.tricks[own]} – ${over.tricks[1 - own]} ${t('tricks')}
      ${over.belote[0] + over.belote[1] > 0 && ` · ${t('belote')} ${over.belote[own] ? t('us') : t('them')}`}
      ${over.melds[0] + over.melds[1] > 0 && ` · ${t('melds')} ${over.melds[own]} – ${over.melds[1 - own]}`}</p>`}
    ${over.match_over && !over.single && over.winner !== null && html`<p class="winner">${over.winner === own ? t('won') : t('lost')}</p>`}
  </div>`;
}

/// A cost in a sentence.
const lossText = (known) => (known?.cost == null ? '' : known.cost < 0.5 ? t('perfect') : `−${fixed(known.cost, 1)} ${t('points')}${t('semicolon')}${t('better')}${t('colon')}${choiceText(known.advice)}`);

/// The table as the analysis board takes it, at a decision.
function linkOf(state, auction, cards) {
  const rows = [];
  for (let n = 0; n < cards.length; n += 4) rows.push(cards.slice(n, n + 4).join(' '));
  return boardLink({ rules: state.rules.base, set: state.rules.set, dealer: String(state.dealer), hands: state.first.map((hand) => hand.join(' ')).join(' | '), auction: auction.map(([, call]) => call).join(' '), tricks: rows.join(' / '), turned: state.turned || '' });
}

function Review({ state, token }) {
  const [open, setOpen] = useState(null);
  const [known, setKnown] = useState([]);
  const [busy, setBusy] = useState(true);
  const [error, setError] = useState(null);
  useEffect(() => {
    const end = new AbortController();
    stream(`tables/${state.id}/coach`, { token, signal: end.signal }, (name, value) => {
      if (name === 'judge') setOpen(value);
      if (name === 'decision') setKnown((all) => [...all, value]);
      if (name === 'failed') setError(value.error);
      if (name === 'done' || name === 'failed') setBusy(false);
    }).catch((problem) => { if (!end.signal.aborted) { setError(problem.message); setBusy(false); } });
    return () => end.abort();
  }, [state.id, state.deals]);
  const cards = playedCards(state).map(({ card }) => card);
  const rows = known.map((it) => {
    const card = open?.cards?.find((each) => each.card === it.choice);
    return { ...it, card, cost: it.cost, worst: Math.max(card?.points ?? 0, it.cost ?? 0) };
  });
  rows.sort((a, b) => (b.cost ?? 0) - (a.cost ?? 0) || b.worst - a.worst);
  const calls = state.auction.length;
  return html`<section class="review"><h3>${t('coach')}</h3>
    ${busy && html`<p class="busy" role="status">${t('reviewing')}</p>`}
    <${Problem} text=${error} />
    ${open?.auction && html`<p>${t('auctionCost')} ${open.auction[0]} ${t('points')} (${t('openCost')}).</p>`}
    <ol class="decisions">${rows.map((row) => {
      const at = cards.indexOf(row.choice);
      const isCard = at >= 0;
      const link = isCard ? linkOf(state, state.auction, cards.slice(0, at)) : linkOf(state, state.auction.slice(0, Math.min(row.step, calls)), []);
      return html`<li class=${row.worst >= 10 ? 'bad' : row.worst >= 1 ? 'poor' : 'fine'}>
        <a href=${link} title=${t('openIn')}>${isCard ? `${t('trick')} ${Math.floor(at / 4) + 1} · ${cardText(row.choice)}` : `${t('call')} · ${callText(row.choice)}`}</a>
        <span>${t('knownCost')}${t('colon')}${lossText(row) || '–'}</span>
        ${row.card && html`<span>${t('openCost')}${t('colon')}${row.card.points > 0 ? `−${row.card.points} ${t('points')}${t('semicolon')}${t('better')}${t('colon')}${cardText(row.card.best)}` : t('perfect')}</span>`}</li>`;
    })}</ol></section>`;
}


function Figures({ state, token }) {
  const [figures, setFigures] = useState(null);
  useEffect(() => { api(`tables/${state.id}/figures`, { token }).then(setFigures, () => setFigures(null)); }, [state.id, state.deals]);
  if (!figures) return null;
  const own = state.players[state.seat].name;
  const judged = figures.judge?.bots?.find((bot) => bot.bot === own);
  const causes = Object.entries(judged?.auction ?? {}).filter(([name, it]) => name !== 'all' && it.sum > 0).sort((a, b) => b[1].sum - a[1].sum);
  return html`<section class="figures"><h3>${t('figures')}</h3>
    <table><thead><tr><td></td><th scope="col">${t('deals')}</th><th scope="col">${t('perDeal')}</th></tr></thead><tbody>
      ${[['all', figures.all], ['declaring', figures.declaring], ['defending', figures.defending], ['overBots', figures.same_cards.bots], ['overPeople', figures.same_cards.people]].filter(([name, it]) => it.deals || !name.startsWith('over')).map(([name, it]) => html`<tr><th scope="row">${t(name)}</th><td>${it.deals}</td><td>${it.deals ? estimate([it.mean, it.half]) : '–'}</td></tr>`)}
    </tbody></table>
    ${judged && html`<p>${t('cardsLost')}${t('colon')}${fixed(judged.cards.all.points.lost ? judged.cards.all.points.lost.mean : judged.cards.all.points.sum / Math.max(1, judged.cards.all.points.count), 2)} <small>(${t('openCost')}, ${judged.cards.all.points.count})</small></p>`}
    ${causes.length > 0 && html`<p>${t('causes')}${t('colon')}</p><ul>${causes.map(([name, it]) => html`<li>${t(`cause_${name}`)}${t('colon')}${it.sum}</li>`)}</ul>`}
  </section>`;
}

function Advice({ advice, onClose }) {
  return html`<section class="advice" aria-live="polite"><h3>${t('hint')}${t('colon')}${choiceText(advice.advice)} <button class="small" aria-label=${t('close')} onClick=${onClose}>×</button></h3>
    <p>${adviceWords(advice)}</p>
    <table><thead><tr><th scope="col">${t('choice')}</th><th scope="col">${t('score')}</th><th scope="col">${t('chance')}</th></tr></thead><tbody>
    ${advice.options.slice(0, 8).map((it) => html`<tr class=${it.advised ? 'advised' : ''}><td>${choiceText(it.choice)}</td><td>${estimate(it.score)}</td><td>${it.chance != null ? percent(it.chance) : '–'}</td></tr>`)}</tbody></table></section>`;
}

/// Asks a question, of which an answer must be chosen.
function Ask({ title, answers, onAnswer }) {
  const dialog = useRef(null);
  useEffect(() => dialog.current?.showModal(), []);
  return html`<dialog ref=${dialog} aria-labelledby="ask" onCancel=${() => onAnswer(null)}><h2 id="ask">${title}</h2><div class="row">${answers.map(([text, value]) => html`<button onClick=${() => onAnswer(value)}>${text}</button>`)}</div></dialog>`;
}

export function TableView({ id, token }) {
  const { state, take, error, setError, broken } = useTable(id, token);
  const [speed, setSpeed] = useState(stored('speed', 'normal'));
  const reduced = useMemo(() => matchMedia('(prefers-reduced-motion: reduce)').matches, []);
  const pace = usePace(state, reduced ? 'fast' : speed);
  const [advice, setAdvice] = useState(null);
  const [cost, setCost] = useState(null);
  const [each, setEach] = useState(stored('each', '') === '1');
  const [asking, setAsking] = useState(null);
  const [review, setReview] = useState(false);
  const [links, setLinks] = useState(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => { setReview(false); setAdvice(null); setCost(null); }, [state?.deals, id, !!state?.over]);

  const act = async (action, body = {}) => {
    if (busy) return;
    setBusy(true);
    setAdvice(null);
    setError(null);
    try {
      take(await api(`tables/${id}/${action}`, { token, body }));
      if (each && (action === 'call' || action === 'play')) {
        const seen = await api(`tables/${id}/cost`, { token }).catch(() => null);
        setCost(seen);
      }
    } catch (problem) { setError(problem.message); } finally { setBusy(false); }
  };
  const play = async (card) => {
    const body = { card };
    if (state.belote_choice.includes(card)) {
      const said = await new Promise((done) => setAsking({ title: t('announce'), answers: [[t('yes'), true], [t('no'), false]], done }));
      setAsking(null);
      if (said === null) return;
      body.silent = !said;
    }
    if (state.meld_choice.length > 1) {
      const answers = state.meld_choice.map((cards, n) => [cards.length ? cards.map(cardText).join(' ') : t('nothing'), n]);
      const said = await new Promise((done) => setAsking({ title: t('whichMelds'), answers, done }));
      setAsking(null);
      if (said === null) return;
      body.melds = said;
    }
    act('play', body);
  };
  const hint = async () => {
    setBusy(true);
    try { setAdvice(await api(`tables/${id}/hint`, { token })); } catch (problem) { setError(problem.message); } finally { setBusy(false); }
  };
  const turned = async () => {
    try {
      const made = await api(`tables/${id}/turned`, { token, body: {} });
      const next = made.seats.find((it) => it.seat === (state.seat + 1) % 4) || made.seats[0];
      location.hash = `#/t/${made.id}/${next.token}`;
    } catch (problem) { setError(problem.message); }
  };
  const invite = async () => {
    try {
      const all = await api('tables');
      const own = all.find((it) => it.id === id);
      setLinks(own.seats.map((it, seat) => it && seat !== state.seat && { seat, link: `${location.origin}/#/t/${id}/${it.token}` }).filter(Boolean));
    } catch (problem) { setError(problem.message); }
  };
  const mine = state && pace.ready && !state.over && state.turn?.seat === state.seat;
  const keys = useRef(null);
  keys.current = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea, dialog') || !state) return;
    const key = event.key.toLowerCase();
    if (key === 'u' && state.can_undo) act('undo');
    else if (key === 'h' && mine) hint();
    else if (key === 'n' && state.over && !state.over.single) act('next');
    else if (key === ' ' && !pace.ready) { pace.hurry(); event.preventDefault(); }
  };
  useEffect(() => {
    const press = (event) => keys.current(event);
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);

  if (!state) return html`<main id="content" class="wait"><h1>${t('title')}</h1>${error ? html`<${Problem} text=${error} />` : html`<p role="status">…</p>`}</main>`;
  const seats = places(state);
  const strain = (state.contract ?? state.standing)?.strain;
  const over = state.over && pace.ready;
  const cards = playedCards(state);
  const left = (seat) => 8 - cards.slice(0, pace.cards).filter((it) => it.seat === seat).length - (state.rules.turn_up && !state.contract ? 3 : 0);
  const ownCards = state.hands[state.seat].concat(cards.slice(pace.cards).filter((it) => it.seat === state.seat).map((it) => it.card));
  const lastTrick = state.tricks[(pace.rest ? pace.cards / 4 : Math.floor((pace.cards - 1) / 4)) - 1];
  const beloteSaid = state.belote.filter(({ suit, seat }) => cards.slice(0, pace.cards).some((it) => it.seat === seat && it.card[1] === suit && 'KQ'.includes(it.card[0])));
  const said = over ? t('overNow') : mine ? t(state.turn.kind === 'call' ? 'yourCall' : 'yourCard') : state.turn ? `${t('waiting')} ${shortName(state, state.turn.seat)}` : '';
  const playing = state.players[state.seat].here;
  const describe = cards.length ? cards.slice(Math.floor((pace.cards - 1) / 4) * 4, pace.cards).map((it) => `${shortName(state, it.seat)}${t('colon')}${cardWords(it.card)}`).join(t('semicolon')) : state.auction.slice(0, pace.calls).slice(-4).map(([seat, call]) => `${shortName(state, seat)}${t('colon')}${callText(call)}`).join(t('semicolon'));
  return html`<main id="content" class="table-page">
    <h1 class="hidden">${t('title')}</h1>
    <div class="felt" onClick=${() => !pace.ready && pace.hurry()}>
      <${Plate} state=${state} seat=${seats.top} place="top" pace=${pace} hidden=${!over && left(seats.top)} />
      <${Plate} state=${state} seat=${seats.left} place="left" pace=${pace} hidden=${!over && left(seats.left)} />
      <${Plate} state=${state} seat=${seats.right} place="right" pace=${pace} hidden=${!over && left(seats.right)} />
      <div class="middle">
        ${over ? html`<${Outcome} state=${state} />` : html`
          ${state.turned && !state.contract && html`<div class="turned"><${Face} card=${state.turned} /><span>${t('turned')}</span></div>`}
          <${Trick} state=${state} pace=${pace} />`}
        ${mine && state.turn.kind === 'call' && html`<${AuctionBox} key=${state.auction.length} legal=${state.legal.calls} onCall=${(call) => act('call', { call })} />`}
      </div>
      <p class="status" role="status">${broken ? t('reconnect') : said}${beloteSaid.length && !over ? ` · ${t('belote')}${t('colon')}${beloteSaid.map((it) => shortName(state, it.seat)).join(', ')}` : ''}</p>
      <p class="hidden" aria-live="polite">${describe}</p>
      <${Plate} state=${state} seat=${seats.bottom} place="bottom" pace=${pace} />
      ${over && state.contract ? html`<div class="shown">${['left', 'top', 'right', 'bottom'].map((place) => html`<div><b>${shortName(state, seats[place])}</b> ${sortHand(state.first[seats[place]], strain).map((card) => html`<span class=${'DH'.includes(card[1]) ? 'red' : 'black'}>${cardText(card)} </span>`)}</div>`)}</div>`
        : html`<${Hand} cards=${ownCards} legal=${mine ? state.legal.cards : []} active=${mine && state.turn.kind === 'play'} onPlay=${play} strain=${strain} />`}
    </div>
    <aside class="panel" aria-label=${t('match')}>
      <${Problem} text=${error} />
      <${Scores} state=${state} pace=${pace} />
      <${ContractLine} state=${state} />
      <div class="row tools">
        ${state.over ? html`
          ${!state.over.single && html`<button class="main" onClick=${() => act('next')}>${state.over.match_over ? t('nextMatch') : t('next')}</button>`}
          <button onClick=${turned}>${t('seatsTurned')}</button>
          <button aria-expanded=${review} onClick=${() => setReview(!review)}>${t('review')}</button>
          <a class="button" href=${linkOf(state, state.auction, cards.map((it) => it.card))}>${t('openIn')}</a>`
        : html`
          <button disabled=${!state.can_undo || busy} onClick=${() => act('undo')}>${t('undo')}</button>
          <button disabled=${!mine || busy} onClick=${hint}>${t('hint')}</button>
          <button disabled=${!state.can_claim || !mine || busy} onClick=${() => act('claim')}>${t('claim')}</button>
          <button onClick=${() => act('resign')}>${t('giveUp')}</button>`}
        ${state.players.filter((it) => it.name !== null).length > 1 && html`<button onClick=${invite}>${t('invite')}</button>
          <button onClick=${() => act(playing ? 'leave' : 'join')}>${t(playing ? 'leave' : 'join')}</button>`}
      </div>
      ${links && html`<ul class="links">${links.map((it) => html`<li>${t('seat')} ${it.seat}${t('colon')}<a href=${it.link}>${it.link}</a></li>`)}</ul>`}
      ${advice && html`<${Advice} advice=${advice} onClose=${() => setAdvice(null)} />`}
      <label class="check"><input type="checkbox" checked=${each} onChange=${(event) => { setEach(event.target.checked); store('each', event.target.checked ? '1' : ''); setCost(null); }} /> ${t('coach')}${t('colon')}${t('eachDecision')}</label>
      ${each && cost && (cost.known || cost.open) && html`<p class="cost" role="status">${cost.known && html`<b>${choiceText(cost.known.choice)}</b> ${t('knownCost')}${t('colon')}${lossText(cost.known)}`}
        ${cost.open && html`<br />${t('openCost')}${t('colon')}${cost.open.points > 0 ? `−${cost.open.points} ${t('points')}${t('semicolon')}${t('better')}${t('colon')}${cardText(cost.open.best)}` : t('perfect')}`}</p>`}
      ${review && state.over && html`<${Review} state=${state} token=${token} />`}
      <${AuctionList} state=${state} pace=${pace} />
      ${lastTrick && html`<div class="last"><b>${t('lastTrick')}</b> ${lastTrick.cards.map((card, n) => html`<span>${shortName(state, (lastTrick.leader + n) % 4)} <b class=${'DH'.includes(card[1]) ? 'red' : 'black'}>${cardText(card)}</b></span>`)}</div>`}
      ${state.shown?.length > 0 && html`<div class="last"><b>${t('melds')}</b> ${state.shown.map((it) => html`<span>${shortName(state, it.seat)} ${it.cards.map(cardText).join(' ')} (${it.points})</span>`)}</div>`}
      ${state.undone > 0 && html`<p><small>${state.undone} ${t('undone')}</small></p>`}
      ${state.deals > 0 && html`<${Figures} state=${state} token=${token} />`}
      <label>${t('speed')} <select value=${speed} onChange=${(event) => { setSpeed(event.target.value); store('speed', event.target.value); }}>${Object.keys(DELAYS).map((name) => html`<option value=${name}>${t(name)}</option>`)}</select></label>
      <details><summary>${t('keys')}</summary><p>${t('keysText')}</p></details>
    </aside>
    ${asking && html`<${Ask} title=${asking.title} answers=${asking.answers} onAnswer=${asking.done} />`}
  </main>`;
}
