// Bidding systems: what one says of the calls, and an editor, which shows faults, calls and results of a text as it is typed.
import { html, useState, useEffect, useRef } from './preact.js';
import { api, stream, t, lang, Problem, CallView, callText, estimate, fixed, percent, whole, stored, store } from './shared.js';

/// The rules of a bidding system that fired, and what the calls promise; the latest first.
export function Explained({ all, name }) {
  if (!all.length) return null;
  const part = (it, n) => (it.promise.hands ? percent(it.promise[n] / it.promise.hands) : '–');
  // The author's words are in the author's language.
  const said = (rule) => (lang() && rule.words?.[1]) || html`<span lang="en">${rule.says || rule.when}</span>`;
  return html`<section class="explained"><h3>${t('systemTitle', name)}</h3><ul>${all.map((it) => html`<li><b>${t('seat')} ${it.seat}${t('colon')}${it.made ? callText(it.made) : t('systemNow')}</b>
    ${it.call && it.call !== it.made && html` (${t('systemWould', callText(it.call))})`}
    ${it.call && it.floor && html`<br />${t('systemFloor')}`}
    ${it.rules.slice(0, 1).map((rule) => html`<br /><i lang="en">${rule.rule}</i>${t('colon')}${said(rule)}`)}
    <br /><small>${it.promise ? t('promises', ...it.promise.trumps, ...it.promise.aces, ...['jack', 'nine', 'ace', 'belote'].map((n) => part(it, n))) : t('promisesNone')}</small></li>`)}</ul></section>`;
}

/// Where a text is wrong: the line, and a mark below the column.
function Fault({ fault, text, area }) {
  const line = fault.line == null ? null : text.split('\n')[fault.line - 1] ?? '';
  const goTo = () => {
    const start = text.split('\n').slice(0, fault.line - 1).reduce((sum, it) => sum + it.length + 1, 0);
    // Columns count characters.
    const at = start + [...line].slice(0, fault.column - 1).join('').length;
    area.current.focus();
    area.current.setSelectionRange(at, Math.min(at + 1, start + line.length));
  };
  return html`<div class="fault">${line != null && html`<p><b>${t('place', fault.line, fault.column)}</b> <button class="small" onClick=${goTo}>${t('goThere')}</button></p>
    <pre tabindex="0" role="region" aria-label=${t('place', fault.line, fault.column)}>${line}${'\n'}${' '.repeat(Math.max(0, fault.column - 1))}^</pre>`}<${Problem} text=${fault.text} /></div>`;
}

/// The mean and its interval as they were while deals were played.
function Shrinking({ walk, asked, words }) {
  const most = Math.max(1, ...walk.map(([, mean, half]) => Math.abs(mean) + (half ?? 0))) * 1.1;
  const x = (deals) => (300 * deals) / asked;
  const y = (points) => 50 - 46 * Math.max(-1, Math.min(1, points / most));
  const line = (value) => walk.map((it) => `${fixedPoint(x(it[0]))},${fixedPoint(y(value(it)))}`);
  const band = [...line(([, mean, half]) => mean + (half ?? most)), ...line(([, mean, half]) => mean - (half ?? most)).reverse()];
  return html`<svg class="shrinking" viewBox="0 0 300 100" role="img" aria-label=${words}><polygon points=${band.join(' ')} /><path d="M0 50H300" /><polyline points=${line(([, mean]) => mean).join(' ')} /></svg>`;
}
const fixedPoint = (n) => n.toFixed(1);

/// Plays the system against another bidder.
function Run({ text, rules, set, about, good }) {
  const [against, setAgainst] = useState('net');
  const [deals, setDeals] = useState('20000');
  const [walk, setWalk] = useState([]);
  const [result, setResult] = useState(null);
  const [error, setError] = useState(null);
  const [end, setEnd] = useState(null);
  const last = useRef(null);
  useEffect(() => () => last.current?.abort(), []);
  const start = async (event) => {
    event.preventDefault();
    const stop = new AbortController();
    last.current = stop;
    setEnd(stop); setError(null); setResult(null); setWalk([]);
    try {
      await stream('system/run', { signal: stop.signal, body: { text, rules, set, against, deals: Number(deals) } }, (name, value) => {
        if (name === 'failed') setError(value.error);
        if (name !== 'result') return;
        setResult({ ...value, against });
        if (value.points?.pairs >= 50) setWalk((all) => [...all, [value.deals, value.points.mean, value.points.half_width]]);
      });
    } catch (problem) { if (!stop.signal.aborted) setError(problem.message); }
    setEnd(null);
  };
  // Of a few deals an interval says nothing.
  const points = result?.points?.pairs >= 50 ? result.points : null;
  const pair = points && [points.mean, points.half_width];
  const sure = points?.half_width != null && Math.abs(points.mean) > points.half_width;
  const verdict = points && t(!sure ? 'runEqual' : points.mean > 0 ? 'runMore' : 'runLess', sure ? `${fixed(Math.abs(points.mean), 1)} ± ${fixed(points.half_width, 1)}` : estimate(pair), result.against);
  const names = [...about.bots.map((bot) => bot.name).filter((name) => ['net', 'rules', 'table', 'random'].includes(name)), ...about.systems.map((name) => `system:name=${name}`)];
  // Start and stop have keys: one button that changed its type would submit the form with the click that stops.
  return html`<section class="contest"><h3>${t('runTitle')}</h3>
    <form class="row" onSubmit=${start}>
      <label>${t('runAgainst')}<input list="bidders" value=${against} onInput=${(event) => setAgainst(event.target.value)} required spellcheck="false" /></label>
      <datalist id="bidders">${names.map((name) => html`<option value=${name} />`)}</datalist>
      <label>${t('runDeals')}<select value=${deals} onChange=${(event) => setDeals(event.target.value)}>${['2000', '20000', '200000'].map((n) => html`<option value=${n} selected=${n === deals}>${whole(Number(n))}</option>`)}</select></label>
      ${end ? html`<button key="stop" type="button" onClick=${() => end.abort()}>${t('stop')}</button>` : html`<button key="start" class="main" type="submit" disabled=${!good}>${t('runStart')}</button>`}
    </form>
    <${Problem} text=${error} />
    ${result && html`<p role="status"><b>${pair ? verdict : t('reviewing')}</b></p>
      <p><small>${t('runSoFar', whole(result.deals), whole(result.asked), whole(Math.round(result.per_second)))}${points && ` · ${t('runDiffer', percent(points.differing / Math.max(1, points.pairs)))}`} · ${t('seedIs', result.seed)}</small></p>`}
    ${walk.length > 1 && html`<${Shrinking} walk=${walk} asked=${result.asked} words=${verdict} />`}
    <p><small>${t('runNote')}</small></p></section>`;
}

/// What four bidders of the system call in some deals. Marked is what was called otherwise when the text was opened.
function Deals({ checked, before, only, link, rules, set }) {
  const [changed, setChanged] = useState(false);
  const calls = (deal) => deal.calls.map(([seat, call]) => `${seat}:${call}`).join(' ');
  const differs = (n) => before && before[n] && calls(before[n]) !== calls(checked.deals[n]);
  const count = checked.deals.filter((_, n) => differs(n)).length;
  const rows = checked.deals.map((deal, n) => [deal, n]).filter(([deal, n]) => (!changed || differs(n)) && (only == null || deal.calls.some(([, , rule]) => rule === only)));
  const address = (deal) => link({ rules, set, dealer: String(deal.dealer), hands: deal.hands.map((hand) => hand.join(' ')).join(' | '), turned: deal.turned || '', auction: deal.calls.map(([seat, call]) => (['X', 'XX'].includes(call) ? `${seat}:${call}` : call)).join(' ') });
  const by = (rule) => (rule == null ? null : rule < 0 ? checked.floor : checked.rules[rule].name);
  return html`<section><h3>${t('systemDeals', checked.deals.length)}</h3>
    <label class="check"><input type="checkbox" checked=${changed} disabled=${!count && !changed} onChange=${(event) => setChanged(event.target.checked)} /> ${t('systemChanged', count)}</label>
    <div class="scroll deals" tabindex="0" role="region" aria-label=${t('systemDeals', checked.deals.length)}><table><thead><tr><th scope="col">${t('deal')}</th><th scope="col">${t('auction')}</th></tr></thead><tbody>
      ${rows.map(([deal, n]) => html`<tr><td><a href=${address(deal)}>${n + 1}</a>${differs(n) && html` <span aria-hidden="true">●</span><span class="hidden">${t('systemOther')}</span>`}</td>
        <td>${deal.calls.map(([seat, call, rule]) => html`<span class=${`bid ${rule >= 0 && rule != null ? 'ruled' : ''} ${rule != null && rule === only ? 'only' : ''}`} title=${by(rule)}><small>${seat}</small> <${CallView} call=${call} /></span> `)}</td></tr>`)}</tbody></table></div></section>`;
}

/// The rules, and how often each calls; a click shows the deals.
function Rules({ checked, only, choose }) {
  return html`<section><h3>${t('systemRules')}</h3><div class="scroll deals" tabindex="0" role="region" aria-label=${t('systemRules')}><table><thead><tr><th scope="col">${t('systemRule')}</th><th scope="col">${t('systemCalls')}</th></tr></thead><tbody>
    ${checked.rules.map((rule, n) => html`<tr><td><b lang="en">${rule.name}</b><br /><small>${rule.words[lang()] ?? ''}</small></td>
      <td>${rule.fits ? html`<button class="small" aria-pressed=${only === n} disabled=${!rule.calls} onClick=${() => choose(only === n ? null : n)}>${rule.calls}</button>` : html`<small>${t('systemNotHere')}</small>`}</td></tr>`)}</tbody></table></div></section>`;
}

const START = 'sound-beginner';

export function SystemEditor({ position, about, link, close }) {
  const [text, setText] = useState(() => stored('system', ''));
  const [base, setBase] = useState('');
  const [checked, setChecked] = useState(null);
  const [before, setBefore] = useState(null);
  const [fault, setFault] = useState(null);
  const [error, setError] = useState(null);
  const [only, setOnly] = useState(null);
  const [said, setSaid] = useState([]);
  const area = useRef(null);
  const { rules, set } = position;
  const load = async (name) => {
    try { const system = await api(`systems/${name}`); setText(system.text); setBase(name); setBefore(null); setError(null); } catch (problem) { setError(problem.message); }
  };
  useEffect(() => { if (!text.trim()) load(START); }, []);
  // The calls of other rules are no comparison.
  useEffect(() => setBefore(null), [rules, set]);
  useEffect(() => {
    if (!text.trim()) return undefined;
    store('system', text);
    const end = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const found = await api('system/check', { signal: end.signal, body: { text, rules, set } });
        setError(null); setFault(found.error ?? null);
        if (found.error) return;
        setChecked(found); setBefore((first) => first ?? found.deals);
        setOnly((n) => (n != null && n < found.rules.length ? n : null));
      } catch (problem) { if (!end.signal.aborted) setError(problem.message); }
    }, 250);
    return () => { clearTimeout(timer); end.abort(); };
  }, [text, rules, set]);
  const here = link(position);
  useEffect(() => {
    setSaid([]);
    if (!checked || fault || !position.hands.trim()) return undefined;
    const end = new AbortController();
    const { bots, system, ...asked } = position;
    stream('system/explain', { signal: end.signal, body: { text, position: asked } }, (name, value) => { if (name === 'system' && value) setSaid((all) => [...all, value]); }).catch(() => {});
    return () => end.abort();
  }, [checked, fault, here]);
  const save = () => {
    const file = document.createElement('a');
    file.href = URL.createObjectURL(new Blob([text], { type: 'application/toml' }));
    file.download = `${base || 'system'}.toml`;
    file.click();
    URL.revokeObjectURL(file.href);
  };
  const share = checked && checked.calls ? 1 - checked.floor_calls / checked.calls : 0;
  return html`<section class="system" aria-label=${t('systemEdit')}><h2>${t('systemEdit')} <button class="small" onClick=${close}>${t('close')}</button></h2>
    <div class="halves"><div>
      <div class="row"><label>${t('systemFrom')}<select value=${base} onChange=${(event) => event.target.value && load(event.target.value)}>${['', ...about.systems].map((name) => html`<option value=${name} selected=${name === base}>${name || '…'}</option>`)}</select></label>
        <button onClick=${save}>${t('save')}</button></div>
      <label>${t('systemText')}<textarea ref=${area} class="code" rows="24" maxlength="32000" value=${text} onInput=${(event) => setText(event.target.value)} spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" aria-invalid=${fault ? 'true' : 'false'}></textarea></label>
      <${Problem} text=${error} />
      <div aria-live="polite">${fault ? html`<${Fault} fault=${fault} text=${text} area=${area} />` : checked && html`<p class="right">${t('systemRight', checked.name, checked.rules.length, percent(share), checked.floor)}</p>`}</div>
      <${Explained} all=${said} name=${checked?.name} />
    </div><div>
      <${Run} text=${text} rules=${rules} set=${set} about=${about} good=${!!checked && !fault} />
      ${checked && html`<${Rules} checked=${checked} only=${only} choose=${setOnly} /><${Deals} checked=${checked} before=${before} only=${only} link=${link} rules=${rules} set=${set} />`}
    </div></div></section>`;
}
