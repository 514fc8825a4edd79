// The runs of a directory: those at work as they get on, sequential tests with their walk, deals by criterion.
import { html, useState, useEffect } from './preact.js';
import { api, Problem, t, whole, CallView, callText, cardText, estimate, fixed, signed } from './shared.js';
import { boardLink } from './board.js';

/// How a span of seconds is written.
const span = (seconds) => (seconds < 90 ? `${Math.round(seconds)} s` : seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${fixed(seconds / 3600, 1)} h`);

/// The log-likelihood ratio of a test between its bounds.
function Walk({ test }) {
  const [low, high] = test.bounds;
  const points = [[0, 0], ...(test.walk ?? [])];
  const last = points.at(-1);
  const y = (value) => 36 - 32 * Math.max(0, Math.min(1, (value - low) / (high - low)));
  const line = points.map(([deals, value]) => `${(200 * deals) / Math.max(1, last[0])},${y(value)}`).join(' ');
  return html`<svg class="walk" viewBox="0 0 200 40" role="img" aria-label=${t('walk', whole(last[0]), fixed(last[1], 2), fixed(low, 2), fixed(high, 2))}><path class="bound" d="M0 4H200M0 36H200" /><polyline points=${line} /></svg>`;
}

function Verdicts({ run }) {
  if (run.test) return html`${t(`decision_${String(run.test.decision).replace('-', '_')}`)}${run.test.estimate && html`<br />${estimate([run.test.estimate.mean, run.test.estimate.half_width])}`}<${Walk} test=${run.test} />`;
  return html`${(run.pairings ?? []).slice(0, 3).map((it) => html`<div>${run.pairings.length > 1 && html`<small>${it.a} – ${it.b}${t('colon')}</small>`}${estimate([it.mean, it.half_width])}</div>`)}${run.pairings?.length > 3 && html`<small>${t('moreOf', run.pairings.length - 3)}</small>`}`;
}

/// One leg of a deal: who sat where, the calls, the tricks, and the way to the board.
function Leg({ leg, n }) {
  const { record } = leg;
  const { contract } = record;
  return html`<section class="leg"><h3>${t('leg', n + 1)}${t('colon')}${signed(record.score[0] - record.score[1])} <small>0 + 2</small></h3>
    <p>${contract ? html`<${CallView} call=${contract.bid} /> ${t('by')} ${t('seat')} ${contract.declarer}${contract.stake && contract.stake !== 'plain' ? `, ${t(contract.stake === 'coinche' ? 'coinched' : 'surcoinched')}` : ''} · ${t(record.made ? 'made' : 'failed')}` : t('thrownIn')}</p>
    <table><tbody>${[0, 1, 2, 3].map((seat) => html`<tr><th scope="row">${seat}${record.dealer === seat ? ' D' : ''}</th><td>${record.bots[seat]}</td></tr>`)}</tbody></table>
    <p>${record.auction.map(([seat, call]) => html`<span>${seat}${t('colon')}${callText(call)} </span>`)}</p>
    <ol>${record.tricks.map((trick) => html`<li>${trick.leader}${t('colon')}${trick.cards.map(cardText).join(' ')} → ${trick.winner}</li>`)}</ol>
    ${leg.position && html`<p><a href=${boardLink(leg.position)}>${t('openEnd')}</a> · <a href=${boardLink({ ...leg.position, tricks: '' })}>${t('openIn')}</a></p>`}</section>`;
}

function Deals({ run }) {
  const [by, setBy] = useState('swing');
  const [deals, setDeals] = useState(null);
  const [error, setError] = useState(null);
  const [shown, setShown] = useState(null);
  useEffect(() => {
    const end = new AbortController();
    setDeals(null); setError(null); setShown(null);
    api(`shelf/deals?${new URLSearchParams({ run, by })}`, { signal: end.signal }).then(setDeals, (problem) => { if (!end.signal.aborted) setError(problem.message); });
    return () => end.abort();
  }, [run, by]);
  return html`<section><h2>${t('dealsOf', run)}</h2>
    <div class="row" role="group" aria-label=${t('criterion')}>${[['swing', 'swings'], ['slam_failed', 'slamsFailed'], ['coinched', 'coinchedDeals']].map(([value, key]) => html`<button aria-pressed=${by === value} onClick=${() => setBy(value)}>${t(key)}</button>`)}</div>
    <${Problem} text=${error} />
    ${!deals && !error && html`<p role="status">${t('reviewing')}</p>`}
    ${deals && !deals.length && html`<p>${t('noDeals')}</p>`}
    ${deals?.length > 0 && html`<div class="scroll" tabindex="0" role="region" aria-label=${t('deals')}><table><thead><tr><th scope="col">${t('deal')}</th><th scope="col">${t('players')}</th><th scope="col">${t('difference')}</th><th scope="col">${t('leg', 1)}</th><th scope="col">${t('leg', 2)}</th></tr></thead><tbody>
      ${deals.map((it, n) => html`<tr><td><button class="link" aria-expanded=${shown === n} onClick=${() => setShown(shown === n ? null : n)}>${it.deal}</button></td><td>${it.bots.join(' – ')}</td><td>${signed(it.difference, 1)}</td><td>${signed(it.differences[0])}</td><td>${signed(it.differences[1])}</td></tr>`)}</tbody></table></div>
      ${deals[shown] && (deals[shown].legs.length ? html`<div class="legs">${deals[shown].legs.map((leg, n) => html`<${Leg} leg=${leg} n=${n} />`)}</div>` : html`<p>${t('noRecords')}</p>`)}`}</section>`;
}

const COLUMNS = [
  ['name', 'run', (run) => run.name], ['state', 'state', (run) => run.state], ['bots', 'players', (run) => (run.bots ?? []).join(' – ')],
  ['verdict', 'verdict', (run) => run.pairings?.[0]?.mean ?? run.test?.estimate?.mean ?? -Infinity], ['done', 'deals', (run) => run.done ?? 0],
  ['speed', 'perSecond', (run) => run.per_second ?? 0], ['left', 'timeLeft', (run) => run.seconds_left ?? 0], ['rules', 'rules', (run) => run.rules ?? ''],
];

export function Shelf() {
  const [runs, setRuns] = useState(null);
  const [error, setError] = useState(null);
  const [filter, setFilter] = useState('');
  const [sort, setSort] = useState(['name', 1]);
  const [chosen, setChosen] = useState(null);
  useEffect(() => {
    let timer = 0;
    const read = () => api('shelf').then((list) => {
      setRuns(list);
      // Runs at work are looked at again and again.
      if (list.some((run) => run.state === 'working')) timer = setTimeout(read, 3000);
    }, (problem) => setError(problem.message));
    read();
    return () => clearTimeout(timer);
  }, []);
  const rows = (runs ?? []).filter((run) => filter.toLowerCase().split(/\s+/).every((word) => JSON.stringify([run.name, run.kind, run.state, run.bots, run.rules]).toLowerCase().includes(word)));
  const value = COLUMNS.find(([name]) => name === sort[0])[2];
  rows.sort((a, b) => { const [x, y] = [value(a), value(b)]; return sort[1] * (typeof x === 'number' ? x - y : String(x).localeCompare(String(y), undefined, { numeric: true })); });
  const link = (run) => `/shelf/${run.name.split('/').map(encodeURIComponent).join('/')}${run.key ? `?key=${run.key}` : ''}`;
  return html`<main id="content" class="shelf"><h1>${t('shelf')}</h1>
    <${Problem} text=${error} />
    ${runs && !runs.length && html`<p>${t('noShelf')}</p>`}
    ${runs?.length > 0 && html`<label>${t('filter')} <input value=${filter} onInput=${(event) => setFilter(event.target.value)} /></label>
      <div class="scroll" tabindex="0" role="region" aria-label=${t('shelf')}><table class="runs"><thead><tr>${COLUMNS.map(([name, key]) => html`<th scope="col" aria-sort=${sort[0] !== name ? 'none' : sort[1] > 0 ? 'ascending' : 'descending'}><button class="link" onClick=${() => setSort([name, sort[0] === name ? -sort[1] : 1])}>${t(key)}</button></th>`)}<td></td></tr></thead><tbody>
      ${rows.map((run) => html`<tr key=${run.name}><td>${run.state === 'done' ? html`<a href=${link(run)} target="_blank" rel="noopener">${run.name}</a>` : run.name}</td><td>${t(`state_${run.state}`)}</td><td>${(run.bots ?? []).join(' – ')}</td><td><${Verdicts} run=${run} /></td>
        <td>${whole(run.done)}${run.asked != null && run.asked !== run.done && html` <small>${t('of')} ${whole(run.asked)}</small>`}</td><td>${run.per_second != null ? whole(Math.round(run.per_second)) : ''}</td><td>${run.seconds_left != null && run.state === 'working' ? span(run.seconds_left) : ''}</td><td>${run.rules ?? ''}</td>
        <td>${run.kind === 'run' && run.state === 'done' && html`<button class="small" aria-pressed=${chosen === run.name} onClick=${() => setChosen(chosen === run.name ? null : run.name)}>${t('deals')}</button>`}</td></tr>`)}</tbody></table></div>`}
    ${chosen && html`<${Deals} key=${chosen} run=${chosen} />`}
  </main>`;
}
