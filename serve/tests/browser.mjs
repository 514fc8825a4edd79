// Checks the page of `arena serve` in a browser: a match by the keyboard alone, all views by axe-core, both languages.
//
//   node serve/tests/browser.mjs target/release/arena [DIRECTORY OF node_modules]
//
// Needs Chromium (CHROMIUM, or `chromium` of the path), and the packages playwright-core and axe-core; without them it says so
// and ends with 0.
import { spawn, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [arena, modules = '.'] = process.argv.slice(2);
let chromium;
let axe;
let executablePath;
try {
  const require = createRequire(join(resolve(modules), 'node_modules', 'x.js'));
  ({ chromium } = require('playwright-core'));
  axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
  executablePath = process.env.CHROMIUM ?? execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
} catch (error) {
  console.log(`skipped: no browser, playwright-core or axe-core (${error.message.split('\n')[0]})`);
  process.exit(0);
}

const directory = mkdtempSync(join(tmpdir(), 'serve-'));
execFileSync(arena, ['run', 'rules', 'net', '--deals', '200', '--seed', '1', '--records', 'full', '--out', join(directory, 'runs', 'one')], { stdio: 'ignore' });
const server = spawn(arena, ['serve', join(directory, 'runs'), '--tables', join(directory, 'tables'), '--listen', '127.0.0.1'], { stdio: ['ignore', 'pipe', 'inherit'] });
const address = await new Promise((done) => server.stdout.on('data', (data) => done(String(data).trim())));
const origin = new URL(address).origin;
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const faults = [];
const check = (holds, what) => { if (!holds) faults.push(what); };

async function open(language, width, colorScheme) {
  const context = await browser.newContext({ viewport: { width, height: 850 }, colorScheme, locale: language, reducedMotion: 'reduce' });
  // Quick bots.
  await context.addInitScript(() => {
    localStorage.setItem('speed', 'fast');
    localStorage.setItem('form', JSON.stringify({ partner: 'net', others: 'net' }));
  });
  const page = await context.newPage();
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type()) && !message.text().includes('409')) faults.push(`${language}: ${message.text()}`); });
  page.on('pageerror', (error) => faults.push(`${language}: ${error}`));
  page.on('request', (request) => check(request.url().startsWith(origin) || request.url().startsWith('data:'), `asked another host: ${request.url()}`));
  await page.goto(address);
  return page;
}

/// Axe runs in a world of its own, as the policy of the page allows no other script.
async function accessible(page, name) {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
  const run = async (expression) => (await session.send('Runtime.evaluate', { expression, contextId, awaitPromise: true, returnByValue: true })).result.value;
  await run(`${axe};0`);
  const found = await run('axe.run(document).then((it) => it.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html).join(" ")}`))');
  for (const violation of found) faults.push(`${name}: axe ${violation}`);
  await session.detach();
  console.log(`${name}: axe found ${found.length}`);
}

const focused = (page) => page.evaluate(() => { const it = document.activeElement; return { tag: it?.tagName, main: it?.classList.contains('main'), card: it?.dataset?.card }; });

/// A match without the mouse: every choice by the key of whatever has the focus.
async function match(page, name) {
  for (let n = 0; n < 40 && !(await focused(page)).main; n += 1) await page.keyboard.press('Tab');
  check((await focused(page)).main, `${name}: the button that starts a game is not reached by Tab`);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.felt');
  const seen = { call: false, play: false, over: false };
  const began = Date.now();
  let deals = 0;
  while (!(await page.$('.winner'))) {
    if (Date.now() - began > 300_000) { faults.push(`${name}: the match did not end`); return; }
    const state = await page.evaluate(() => ({ dialog: !!document.querySelector('dialog[open]'), call: !!document.querySelector('.calls'), play: !!document.querySelector('.hand .may'), over: !!document.querySelector('.outcome') }));
    for (const kind of ['call', 'play', 'over']) if (state[kind] && !seen[kind]) { seen[kind] = true; await accessible(page, `${name}, ${kind}`); }
    if (state.over) { deals += 1; await page.keyboard.press('n'); await page.waitForFunction(() => !document.querySelector('.outcome') || document.querySelector('.winner')); }
    else if (state.dialog) await page.keyboard.press('Enter');
    else if (state.call) await page.keyboard.press('p');
    else if (state.play) { if (!(await focused(page)).card) await page.keyboard.press('Tab'); else await page.keyboard.press('Enter'); }
    else await page.keyboard.press(' ');
    await page.waitForTimeout(60);
  }
  console.log(`${name}: a match of ${deals + 1} deals by the keyboard, ${((Date.now() - began) / 1000).toFixed(0)} s`);
}

async function board(page, name) {
  const hands = 'JS 9S AS TS 7H 8H 7C 8C | JH 9H AH TH KC QC KS QS | 8S 7S KH QH 9C JC TC AC | JD 9D AD TD KD QD 8D 7D';
  const at = (more) => page.goto(`${origin}/#/board?${new URLSearchParams({ dealer: '3', hands, auction: '100S P P P', tricks: 'JS QS 7S 7D / 9S KS 8S 8D', ...more })}`);
  await at({ system: 'sound-beginner', bots: 'net' });
  await page.waitForSelector('.explained li:nth-child(4)');
  await page.waitForSelector('.beliefs');
  await accessible(page, `${name}, board`);
  await at({ hands: hands.replace('JD 9D AD', '') });
  await page.waitForSelector('.unknown');
  await accessible(page, `${name}, board with unknown cards`);
  await page.fill('textarea', readFileSync(join(directory, 'runs', 'one', 'records.jsonl'), 'utf8').split('\n')[0]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.includes('tricks=') && !location.hash.includes('100S'));
}

/// A system is edited: a fault, its remedy, a changed call, a run, and one that is stopped.
async function editor(page, name, language) {
  const hands = 'JS 9S AS TS 7H 8H 7C 8C | JH 9H AH TH KC QC KS QS | 8S 7S KH QH 9C JC TC AC | JD 9D AD TD KD QD 8D 7D';
  await page.goto(`${origin}/#/board?${new URLSearchParams({ dealer: '3', hands })}`);
  await page.focus('.setup button[aria-expanded]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.system .right');
  await page.waitForSelector('.system .explained li');
  await accessible(page, `${name}, editor`);
  const text = await page.inputValue('.code');
  await page.fill('.code', text.replace('opening and strong', 'opening and strongg'));
  await page.waitForSelector('.fault .error');
  const fault = await page.textContent('.fault');
  for (const part of ['strongg', language === 'fr' ? 'n’est pas un mot' : 'is no word', language === 'fr' ? 'Ligne 41' : 'Line 41']) check(fault.includes(part), `${name}: the fault does not say ${part}: ${fault}`);
  await accessible(page, `${name}, editor with a fault`);
  await page.click('.fault button');
  check(await page.evaluate(() => { const it = document.activeElement; return it.value.slice(it.selectionStart).startsWith('strongg'); }), `${name}: the place of the fault is not reached`);
  await page.fill('.code', text.replace('"opening and strong"\ncall = 90', '"opening and strong"\ncall = 100'));
  await page.waitForSelector('.system .right');
  await page.check('.system .check input');
  await page.waitForSelector('.deals .hidden');
  await page.selectOption('.contest select', '2000');
  await page.click('.contest button.main');
  await page.waitForSelector('.contest [role=status] b');
  await page.waitForSelector('.contest button.main', { timeout: 60_000 });
  await page.selectOption('.contest select', '200000');
  await page.click('.contest button.main');
  await page.waitForSelector('.shrinking', { timeout: 60_000 });
  await accessible(page, `${name}, run of a system`);
  check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name}: the editor is wider than the page`);
  await page.click('.contest button[type=button]');
  await page.waitForSelector('.contest button.main');
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `editor ${name}.png`), fullPage: true });
}

async function shelf(page, name) {
  await page.goto(`${origin}/#/shelf`);
  await page.waitForSelector('.runs a');
  await page.click('.runs button.small');
  await page.waitForSelector('section table button.link');
  await page.click('section table button.link');
  await page.waitForSelector('.leg');
  await accessible(page, `${name}, shelf`);
  const [report] = await Promise.all([page.context().waitForEvent('page'), page.click('.runs a')]);
  await report.waitForSelector('h1');
  check((await report.title()).length > 0, `${name}: the report does not open`);
  await page.click('.leg a');
  await page.waitForSelector('.felt.small');
}

try {
  for (const [language, width, scheme] of [['en', 1280, 'light'], ['fr', 400, 'dark']]) {
    const page = await open(language, width, scheme);
    const name = `${language}, ${width}`;
    await page.waitForSelector('form');
    await accessible(page, `${name}, start`);
    await match(page, name);
    await board(page, name);
    await editor(page, name, language);
    await shelf(page, name);
    await page.context().close();
  }
} catch (error) {
  faults.push(error.stack);
} finally {
  await browser.close();
  server.kill();
  rmSync(directory, { recursive: true, force: true });
}
for (const fault of new Set(faults)) console.error(fault);
process.exit(faults.length ? 1 : 0);
