// The analysis board: a position in the page's address, steps and variations, and what is known of it.
import { html, useState, useEffect, useRef } from './preact.js';
import { api, Problem, stream, t, Face, Strain, CallView, sortHand, cardText, cardWords, callText, choiceText, adviceWords, estimate, fixed, percent, signed, SUITS, RANK_ORDER } from './shared.js';
import { Explained, SystemEditor } from './system.js';

const FIELDS = ['rules', 'set', 'dealer', 'hands', 'seat', 'turned', 'auction', 'tricks', 'bots', 'system'];

export function boardLink(position) {
  const query = new URLSearchParams();
  for (const name of FIELDS) if (position[name]) query.set(name, position[name]);
  return `#/board?${query}`;
}
const readLink = () => {
  const query = new URLSearchParams(location.hash.split('?')[1] || '');
  return Object.fromEntries(FIELDS.map((name) => [name, query.get(name) || '']));
};
const handsOf = (text) => {
  const hands = (text || '').split('|').map((hand) => hand.trim().toUpperCase().split(/\s+/).filter((card) => /^[789TJQKA][CDHS]$/.test(card)));
  return [0, 1, 2, 3].map((seat) => hands[seat] || []);
};
const textOf = (hands) => hands.map((hand) => hand.join(' ')).join(' | ');
const cardsOf = (tricks) => tricks.replaceAll('/', ' ').trim().split(/[\s,]+/).filter(Boolean);
const tricksOf = (cards) => {
  const rows = [];
  for (let n = 0; n < cards.length; n += 4) rows.push(cards.slice(n, n + 4).join(' '));
  return rows.join(' / ');
};
const callsOf = (text) => text.trim().split(/[\s,]+/).filter(Boolean);

/// Whose card is asked for, drawn as a grid: a click gives a card to a seat, or takes it back.
function Editor({ position, change }) {
  const [seat, setSeat] = useState(0);
  const hands = handsOf(position.hands);
  const holder = (card) => hands.findIndex((hand) => hand.includes(card));
  const give = (card) => {
    const from = holder(card);
    const next = hands.map((hand) => hand.filter((other) => other !== card));
    if (from !== seat && next[seat].length < 8) next[seat].push(card);
    change({ ...position, hands: next.every((hand) => !hand.length) ? '' : textOf(next), tricks: '' });
  };
  const deal = () => {
    const deck = SUITS.flatMap((suit) => RANK_ORDER.map((rank) => rank + suit));
    const random = crypto.getRandomValues(new Uint32Array(32));
    deck.map((card, n) => [random[n], card]).sort((a, b) => a[0] - b[0]).forEach(([, card], n) => { deck[n] = card; });
    change({ ...position, hands: textOf([0, 1, 2, 3].map((n) => deck.slice(8 * n, 8 * n + 8))), auction: '', tricks: '', turned: '' });
  };
  return html`<section class="editor"><h2>${t('hands')}</h2>
    <div class="row" role="radiogroup" aria-label=${t('seat')}>${[0, 1, 2, 3].map((n) => html`<label class=${`seat s${n}`}><input type="radio" name="seat" checked=${seat === n} onChange=${() => setSeat(n)} /> ${t('seat')} ${n} <small>${hands[n].length}</small></label>`)}</div>
    <div class="grid" role="group" aria-label=${t('legalHelp')}>${SUITS.map((suit) => html`<div class="line">${[...RANK_ORDER].reverse().map((rank) => {
      const card = rank + suit;
      const at = holder(card);
      return html`<button class=${at < 0 ? 'free' : `s${at}`} aria-pressed=${at === seat} onClick=${() => give(card)}><span class="hidden">${cardWords(card)}${at < 0 ? '' : `, ${t('seat')} ${at}`}</span><span aria-hidden="true" class=${'DH'.includes(suit) ? 'red' : 'black'}>${cardText(card)}</span></button>`;
    })}</div>`)}</div>
    <p><small>${t('legalHelp')}</small></p>
    <div class="row"><button onClick=${deal}>${t('random')}</button><button onClick=${() => change({ ...position, hands: '', auction: '', tricks: '', turned: '' })}>${t('clear')}</button></div></section>`;
}

function Values({ board, solved, play }) {
  if (!solved) return null;
  // Of a position with unknown cards: means over deals.
  const title = t('doubleDummy') + (solved.deals === undefined ? '' : t('colon') + t('meanOf', solved.deals));
  const points = (n, half) => (half == null ? fixed(n) : `${fixed(n, 1)} ± ${fixed(half, 1)}`);
  if (solved.strains) {
    return html`<section><h3>${title}</h3><table><thead><tr><th scope="col">${t('strain')}</th><th scope="col">0 + 2</th><th scope="col">1 + 3</th></tr></thead><tbody>
      ${solved.strains.map((it) => html`<tr><th scope="row"><${Strain} strain=${it.strain} /></th><td>${points(it.points[0], it.half)}${it.slam === 0 ? ` (${t('slam')})` : ''}</td><td>${points(it.points[1], it.half)}${it.slam === 1 ? ` (${t('slam')})` : ''}</td></tr>`)}</tbody></table>
      ${solved.par.length > 0 && html`<p>${t('best')}${t('colon')}${solved.par.map((it, n) => html`<span>${n ? '1 + 3' : '0 + 2'}${t('colon')}${it ? html`<${CallView} call=${it.bid} /> (${it.score[0]}–${it.score[1]})` : '–'}  </span>`)}</p>`}</section>`;
  }
  const most = Math.max(...solved.cards.map((it) => it.points));
  return html`<section><h3>${title}</h3><table class="values"><thead><tr><th scope="col">${t('card')}</th><th scope="col">${t('points')}</th><th scope="col">${t('score')}</th></tr></thead><tbody>
    ${[...solved.cards].sort((a, b) => b.points - a.points).map((it) => html`<tr class=${it.points === most ? 'advised' : ''}><td><button class="link" onClick=${() => play(it.card)}>${cardText(it.card)}</button></td><td>${points(it.points, it.half)}${it.points < most ? html` <small>−${fixed(most - it.points, it.half == null ? 0 : 1)}</small>` : ''}</td><td>${it.score != null ? signed(it.score) : '–'}</td></tr>`)}</tbody></table></section>`;
}

function Options({ title, options, advised, play, note }) {
  return html`<section><h3>${title}</h3>${note && html`<p><small>${note}</small></p>`}
    ${options && html`<table class="values"><thead><tr><th scope="col">${t('choice')}</th><th scope="col">${t('score')}</th><th scope="col">${t('chance')}</th><th scope="col">${t('worlds')}</th></tr></thead><tbody>
    ${options.slice(0, 10).map((it) => html`<tr class=${it.choice === advised ? 'advised' : ''}><td><button class="link" onClick=${() => play(it.choice)}>${choiceText(it.choice)}</button></td><td>${estimate(it.score)}</td><td>${it.chance != null ? percent(it.chance) : '–'}</td><td>${it.worlds}</td></tr>`)}</tbody></table>`}</section>`;
}

/// How likely each hidden card is at each seat, as shades.
function Beliefs({ advice }) {
  const cards = Object.keys(advice.others[0]?.cards ?? {});
  if (!cards.length) return null;
  return html`<section class="beliefs"><h3>${t('beliefs')}</h3>
    <div class="scroll" tabindex="0" role="region" aria-label=${t('beliefs')}><table><thead><tr><td></td>${advice.others.map((it) => html`<th scope="col">${t('seat')} ${it.seat}</th>`)}</tr></thead><tbody>
    ${sortHand(cards).map((card) => html`<tr><th scope="row" class=${'DH'.includes(card[1]) ? 'red' : 'black'}>${cardText(card)}</th>${advice.others.map((it) => {
      const share = it.cards[card];
      return html`<td><span class="bar" style=${{ '--share': share }}></span>${Math.round(100 * share)}</td>`;
    })}</tr>`)}</tbody></table></div></section>`;
}

/// A text to be read as a position.
function Paste({ change }) {
  const [text, setText] = useState('');
  const [error, setError] = useState(null);
  const read = async (event) => {
    event.preventDefault();
    try { change(await api('position/read', { body: { text } })); setError(null); setText(''); } catch (problem) { setError(problem.message); }
  };
  return html`<form onSubmit=${read}><label>${t('paste')}<textarea rows="2" value=${text} onInput=${(event) => setText(event.target.value)} spellcheck="false"></textarea></label>
    <${Problem} text=${error} /><button class="small" type="submit" disabled=${!text.trim()}>${t('read')}</button></form>`;
}

export function BoardView() {
  const [position, setPosition] = useState(readLink);
  const [board, setBoard] = useState(null);
  const [error, setError] = useState(null);
  const [solved, setSolved] = useState(null);
  const [advice, setAdvice] = useState(null);
  const [bots, setBots] = useState({});
  const [said, setSaid] = useState([]);
  const [ahead, setAhead] = useState([]);
  const [lines, setLines] = useState([]);
  const [about, setAbout] = useState({ presets: [], systems: [], bots: [] });
  const [copied, setCopied] = useState(false);
  const [busy, setBusy] = useState(false);
  const [edits, setEdits] = useState(false);
  const link = boardLink(position);
  const current = useRef(link);

  const change = (next, keep) => {
    if (!keep) setAhead([]);
    setPosition(next);
  };
  useEffect(() => { api('about').then(setAbout, () => {}); }, []);
  useEffect(() => {
    const read = () => { if (location.hash.startsWith('#/board') && location.hash !== current.current) setPosition(readLink()); };
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  useEffect(() => {
    current.current = link;
    if (location.hash !== link) history.replaceState(null, '', link);
    setSolved(null); setAdvice(null); setBots({}); setSaid([]); setError(null);
    if (!position.hands.trim()) { setBoard(null); return undefined; }
    const end = new AbortController();
    const query = link.split('?')[1];
    // Typing is not answered letter by letter.
    const timer = setTimeout(async () => {
      try {
        setBoard(await api(`position?${query}`, { signal: end.signal }));
        setBusy(true);
        await stream(`position/events?${query}`, { signal: end.signal }, (name, value) => {
          if (name === 'solver') setSolved(value);
          if (name === 'advice') setAdvice(value);
          if (name === 'system' && value) setSaid((all) => [...all, value]);
          if (name === 'bot') setBots((all) => ({ ...all, [value.bot]: value }));
          if (name === 'failed') setError(value.error);
        });
      } catch (problem) { if (!end.signal.aborted) { setBoard(null); setError(problem.message); } }
      if (!end.signal.aborted) setBusy(false);
    }, 150);
    return () => { clearTimeout(timer); end.abort(); setBusy(false); };
  }, [link]);

  const calls = callsOf(position.auction);
  const cards = cardsOf(position.tricks);
  const keepLine = () => {
    if (!ahead.length) return;
    const line = { at: calls.length + cards.length, moves: ahead, link: boardLink(position) };
    setLines((all) => (all.some((other) => other.link === line.link && other.moves.join() === ahead.join()) ? all : [...all, line]));
  };
  const step = (choice) => {
    const isCard = /^[789TJQKA][CDHS]$/.test(choice);
    const again = ahead[0] === choice;
    if (!again) keepLine();
    const next = isCard ? { ...position, tricks: tricksOf([...cards, choice]) } : { ...position, auction: [...calls, choice].join(' ') };
    setAhead(again ? ahead.slice(1) : []);
    change(next, true);
  };
  const back = () => {
    if (cards.length) { setAhead([cards.at(-1), ...ahead]); change({ ...position, tricks: tricksOf(cards.slice(0, -1)) }, true); }
    else if (calls.length) { setAhead([calls.at(-1), ...ahead]); change({ ...position, auction: calls.slice(0, -1).join(' ') }, true); }
  };
  const keys = useRef(null);
  keys.current = (event) => {
    if (event.target.closest('input, select, textarea') || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'ArrowLeft') { back(); event.preventDefault(); }
    if (event.key === 'ArrowRight' && ahead[0]) { step(ahead[0]); event.preventDefault(); }
  };
  useEffect(() => {
    const press = (event) => keys.current(event);
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);

  const field = (name, label, props = {}) => html`<label>${label}<input value=${position[name]} onInput=${(event) => change({ ...position, [name]: event.target.value })} spellcheck="false" autocomplete="off" ...${props} /></label>`;
  const turn = board?.turn;
  const strain = (board?.contract ?? board?.standing)?.strain;
  const value = (card) => solved?.cards?.find((it) => it.card === card)?.points;
  return html`<main id="content" class="board-page"><h1>${t('board')}</h1>
    <div class="columns">
      <div class="setup">
        <label>${t('rules')}<select value=${position.rules || 'bga'} onChange=${(event) => change({ ...position, rules: event.target.value, set: '' })}>${about.presets.map((name) => html`<option value=${name} selected=${name === (position.rules || 'bga')}>${name}</option>`)}</select></label>
        ${position.set && field('set', t('set'))}
        <label>${t('dealer')}<select value=${position.dealer || '3'} onChange=${(event) => change({ ...position, dealer: event.target.value })}>${[0, 1, 2, 3].map((n) => html`<option value=${n}>${n}</option>`)}</select></label>
        <${Editor} position=${position} change=${change} />
        <${Paste} change=${(read) => change({ ...read, bots: position.bots, system: position.system })} />
        ${field('hands', t('hands'))}
        ${field('auction', t('callsText'))}
        ${field('tricks', t('cardsText'))}
        ${field('turned', t('turned'), { size: 3 })}
        ${field('bots', `${t('bots')} (rules+pimc net champion)`)}
        <label>${t('system')}<select value=${position.system} onChange=${(event) => change({ ...position, system: event.target.value }, true)}>${['', ...about.systems].map((name) => html`<option value=${name} selected=${name === position.system}>${name || t('systemNone')}</option>`)}</select></label>
        <div><button aria-expanded=${edits} onClick=${() => setEdits(!edits)}>${t('systemEdit')}</button></div>
      </div>
      <div class="position" aria-label=${t('position')}>
        <${Problem} text=${error} />
        <div class="row"><button onClick=${back} disabled=${!cards.length && !calls.length}>← ${t('back')}</button><button onClick=${() => ahead[0] && step(ahead[0])} disabled=${!ahead.length}>${t('forward')} →</button>
          <button onClick=${() => { navigator.clipboard?.writeText(location.href); setCopied(true); setTimeout(() => setCopied(false), 1500); }}>${copied ? t('copied') : t('copyLink')}</button></div>
        ${board && html`<div class="felt small">
          ${[0, 1, 2, 3].map((seat) => html`<div class=${`side p${seat} ${turn?.seat === seat ? 'turn' : ''}`}><b>${t('seat')} ${seat}${board.dealer === seat ? ` · ${t('dealer')}` : ''}</b>
            <div class="small-cards">${board.hands[seat] ? sortHand(board.hands[seat], strain).map((card) => {
              const may = turn?.kind === 'play' && turn.seat === seat && board.legal.cards.includes(card);
              return html`<button class=${`card ${may ? 'may' : 'still'}`} disabled=${!may} onClick=${() => step(card)}><span class="hidden">${cardWords(card)}</span><${Face} card=${card} />${may && value(card) != null && html`<span class="value">${Math.round(value(card))}</span>`}</button>`;
            }) : html`<span class="unknown">?</span>`}${board.unknown?.[seat] > 0 && html`<span class="unknown">+ ${t('unknown', board.unknown[seat])}</span>`}</div></div>`)}
          <div class="now">${board.contract && html`<p><b><${CallView} call=${board.contract.bid} /></b> ${t('by')} ${t('seat')} ${board.contract.declarer}${board.contract.stake !== 'plain' ? `, ${t(board.contract.stake === 'coinche' ? 'coinched' : 'surcoinched')}` : ''} · ${board.points[0]} – ${board.points[1]}</p>`}
            ${board.trick.map(([seat, card]) => html`<span class="on-table"><small>${seat}</small><${Face} card=${card} /></span>`)}
            ${board.over && html`<p class="big">${board.over.made === undefined ? t('thrownIn') : t(board.over.made ? 'made' : 'failed')} · ${board.over.score[0]} – ${board.over.score[1]}</p>`}</div>
        </div>
        ${turn?.kind === 'call' && html`<div class="row wrap legal">${board.legal.calls.slice(0, 40).map((call) => html`<button class="small" onClick=${() => step(call)}><${CallView} call=${call} /></button>`)}</div>`}
        ${turn?.kind === 'play' && board.unknown?.[turn.seat] > 0 && html`<div class="row wrap legal">${sortHand(board.legal.cards.filter((card) => !board.hands[turn.seat].includes(card)), strain).map((card) => html`<button class="small" onClick=${() => step(card)}>${cardText(card)}</button>`)}</div>`}
        <p class="line">${calls.map((call) => html`<span>${callText(call)} </span>`)} ${cards.map((card, n) => html`<span>${n % 4 === 0 ? ' | ' : ''}${cardText(card)} </span>`)}</p>
        ${ahead.length > 0 && html`<p class="line ahead">→ ${ahead.map((it) => `${choiceText(it)} `)}</p>`}
        ${lines.length > 0 && html`<section><h3>${t('variations')}</h3><ul>${lines.map((line) => html`<li><button class="link" onClick=${() => { const [, query] = line.link.split('?'); keepLine(); setAhead(line.moves); setPosition(Object.fromEntries(FIELDS.map((name) => [name, new URLSearchParams(query).get(name) || '']))); }}>${line.at}${t('colon')}${line.moves.map(choiceText).join(' ')}</button></li>`)}</ul></section>`}`}
      </div>
      <div class="thoughts" aria-busy=${busy}>
        ${busy && html`<p class="busy">${t('reviewing')}</p>`}
        <${Values} board=${board} solved=${solved} play=${step} />
        ${advice && html`<${Options} title=${t('advice') + t('colon') + choiceText(advice.advice)} options=${advice.options} advised=${advice.advice} play=${step} note=${adviceWords(advice)} />`}
        ${Object.values(bots).map((bot) => html`<${Options} title=${`${bot.bot}${t('colon')}${choiceText(bot.choice)}`} options=${bot.options} advised=${bot.choice} play=${step} />`)}
        <${Explained} all=${said} name=${position.system} />
        ${advice && html`<${Beliefs} advice=${advice} />`}
      </div>
    </div>
    ${edits && html`<${SystemEditor} position=${position} about=${about} link=${boardLink} close=${() => setEdits(false)} />`}</main>`;
}
