// The page: which view is shown, a new game, the tables.
import { html, render, useState, useEffect } from './preact.js';
import { api, Problem, t, lang, setLanguage, stored, store } from './shared.js';
import { TableView } from './table.js';
import { BoardView } from './board.js';
import { Shelf } from './shelf.js';

function Start() {
  const [about, setAbout] = useState(null);
  const [tables, setTables] = useState([]);
  const [error, setError] = useState(null);
  const [form, setForm] = useState(() => ({ rules: '', partner: 'champion:style=natural', others: 'champion', name: 'human', seed: '', number: '', hands: '', dealer: '3', people: [], ...JSON.parse(stored('form', '{}')), seed: '', hands: '', number: '', people: [] }));
  useEffect(() => {
    api('about').then((it) => { setAbout(it); if (it.owner) api('tables').then(setTables, () => {}); }, (problem) => setError(problem.message));
  }, []);
  const set = (name) => (event) => setForm({ ...form, [name]: event.target.value });
  const start = async (event) => {
    event.preventDefault();
    setError(null);
    store('form', JSON.stringify(form));
    const body = { rules: form.rules || undefined, partner: form.partner, others: form.others, name: form.name, people: form.people };
    if (form.seed) body.seed = form.seed;
    if (form.hands.trim()) body.deal = { hands: form.hands, dealer: Number(form.dealer) };
    else if (form.number !== '') body.deal = { number: Number(form.number) };
    try {
      const made = await api('tables', { body });
      location.hash = `#/t/${made.id}/${made.seats.find((it) => it.seat === 0).token}`;
    } catch (problem) { setError(problem.message); }
  };
  if (!about) return html`<main id="content"><h1>${t('title')}</h1>${error ? html`<${Problem} text=${error} />` : html`<p role="status">…</p>`}</main>`;
  const names = ['champion:style=natural', ...about.bots.map((bot) => bot.name), ...about.programs];
  return html`<main id="content" class="start"><h1>${t('newGame')}</h1>
    <form onSubmit=${start}>
      <label>${t('rules')}<select value=${form.rules} onChange=${set('rules')}>${['', ...about.presets].map((name) => html`<option value=${name}>${name || `${about.rules ?? '…'}`}</option>`)}</select></label>
      <label>${t('partner')}<input list="bots" value=${form.partner} onInput=${set('partner')} required spellcheck="false" /></label>
      <label>${t('others')}<input list="bots" value=${form.others} onInput=${set('others')} required spellcheck="false" /></label>
      <datalist id="bots">${names.map((name) => html`<option value=${name} />`)}</datalist>
      <label>${t('name')}<input value=${form.name} onInput=${set('name')} maxlength="40" required /></label>
      <details><summary>${t('more')}</summary>
        <label>${t('seed')}<input value=${form.seed} onInput=${set('seed')} /></label>
        <fieldset><legend>${t('oneDeal')}</legend>
          <label>${t('dealNumber')}<input type="number" min="0" value=${form.number} onInput=${set('number')} /></label>
          <label>${t('dealText')}<input value=${form.hands} onInput=${set('hands')} spellcheck="false" /></label>
          <label>${t('dealer')}<select value=${form.dealer} onChange=${set('dealer')}>${[0, 1, 2, 3].map((n) => html`<option value=${n}>${n}</option>`)}</select></label></fieldset>
        <fieldset><legend>${t('people')}</legend><div class="row">${[1, 2, 3].map((seat) => html`<label class="check"><input type="checkbox" checked=${form.people.includes(seat)} onChange=${(event) => setForm({ ...form, people: event.target.checked ? [...form.people, seat] : form.people.filter((it) => it !== seat) })} /> ${t('seat')} ${seat}</label>`)}</div></fieldset>
      </details>
      <${Problem} text=${error} />
      <button class="main" type="submit">${t('start')}</button>
    </form>
    <h2>${t('recent')}</h2>
    ${tables.length === 0 ? html`<p>${t('noTables')}</p>` : html`<ul class="tables">${tables.slice(0, 20).map((table) => {
      const seats = table.seats.map((it, seat) => it && { ...it, seat }).filter(Boolean);
      return html`<li><a href=${`#/t/${table.id}/${seats[0]?.token}`}>${seats.map((it) => it.name).join(', ')} · ${new Date(table.made * 1000).toLocaleString(lang() ? 'fr' : 'en')}</a></li>`;
    })}</ul>`}
  </main>`;
}

function App() {
  const [hash, setHash] = useState(location.hash);
  const [, redraw] = useState(0);
  useEffect(() => {
    const change = () => setHash(location.hash);
    window.addEventListener('hashchange', change);
    return () => window.removeEventListener('hashchange', change);
  }, []);
  const table = hash.match(/^#\/t\/([0-9a-f]+)\/([0-9a-f]+)$/);
  const view = table ? html`<${TableView} key=${table[1]} id=${table[1]} token=${table[2]} />` : hash.startsWith('#/board') ? html`<${BoardView} />` : hash.startsWith('#/shelf') ? html`<${Shelf} />` : html`<${Start} />`;
  useEffect(() => { document.title = hash.startsWith('#/board') ? t('board') : hash.startsWith('#/shelf') ? t('shelf') : t('title'); }, [hash, lang()]);
  const link = (to, text) => html`<a href=${to} aria-current=${(hash || '#/').startsWith(to) && (to !== '#/' || hash === '#/' || !hash) ? 'page' : null}>${text}</a>`;
  return html`<header><nav aria-label=${t('title')}>${link('#/', t('play'))}${link('#/board', t('board'))}${link('#/shelf', t('shelf'))}</nav>
    <button class="language" lang=${lang() ? 'en' : 'fr'} onClick=${() => { setLanguage(1 - lang()); redraw((n) => n + 1); }}>${t('language')}</button></header>${view}`;
}

render(html`<${App} />`, document.getElementById('app'));
