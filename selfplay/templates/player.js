"use strict";
// Replays a deal call by call and card by card, and marks what scrolls sideways. Without it the page shows the same deal
// as lists.
(() => {
  const element = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const texts = JSON.parse(document.body.dataset.texts);
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const card = (text) => element("span", /[♥♦]/.test(text) ? "kard red" : "kard", text);

  const build = (deal, place) => {
    const legs = JSON.parse(deal.dataset.legs);
    let leg = 0;
    let step = 0;
    const root = element("div", "player");
    root.tabIndex = 0;
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", texts.replay);
    const board = element("div", "board");
    const told = element("p", "told");
    told.setAttribute("aria-live", "polite");
    const keys = element("div", "keys");

    const steps = () => legs[leg].calls.length + legs[leg].tricks.reduce((n, trick) => n + trick.cards.length, 0);
    // What lies on the table after so many steps.
    const state = () => {
      const { calls, tricks } = legs[leg];
      if (step <= calls.length) {
        const said = calls.slice(0, step);
        return { said, last: said[said.length - 1], played: [], trick: null, won: [0, 0] };
      }
      let left = step - calls.length;
      const played = [];
      const won = [0, 0];
      for (const [number, trick] of tricks.entries()) {
        const shown = Math.min(left, trick.cards.length);
        const cards = trick.cards.slice(0, shown).map((text, n) => ({ text, seat: (trick.leader + n) % 4 }));
        played.push(...cards);
        left -= shown;
        const full = shown === 4;
        if (full) won[trick.winner % 2] += 1;
        if (left === 0) return { said: [], played, trick: { number, cards, winner: full ? trick.winner : null }, won };
      }
      return { said: [], played, trick: null, won };
    };
    const line = (now) => {
      const { calls, title, contract, result, places } = legs[leg];
      const name = (seat) => `${places[seat]} (${seat})`;
      if (step === 0) return fill(texts.not_called, { leg: title });
      const over = step === steps() ? ` ${result}` : "";
      if (now.last) {
        const [seat, call] = now.last;
        return fill(texts.called, { n: step, all: calls.length, who: name(seat), call }) + over;
      }
      if (!now.trick) return over;
      const { number, cards, winner } = now.trick;
      const last = cards[cards.length - 1];
      const trick = fill(texts.trick, { contract, n: number + 1, who: name(last.seat), card: last.text });
      const taken = winner === null ? "" : ` ${fill(texts.taken, { who: name(winner) })}`;
      return `${trick}${taken} ${fill(texts.tricks, { even: now.won[0], odd: now.won[1] })}${over}`;
    };
    const draw = () => {
      const { hands, seats, dealer, places, areas } = legs[leg];
      const area = (seat) => areas[seat];
      const now = state();
      board.replaceChildren();
      const last = now.last ? now.last[0] : now.trick ? now.trick.cards[now.trick.cards.length - 1].seat : -1;
      for (let seat = 0; seat < 4; seat += 1) {
        const hand = element("div", `hand ${area(seat)}${seat === last ? " turn" : ""}`);
        const who = element("span", "who", `${places[seat]} (${seat})${seat === dealer ? texts.dealer : ""}`);
        const bot = element("span", "bot", seats[seat]);
        bot.title = seats[seat];
        const held = element("div", "held");
        for (const text of hands[seat]) {
          const shown = card(text);
          if (now.played.some((one) => one.text === text)) shown.classList.add("gone");
          held.append(shown);
        }
        hand.append(who, bot, held);
        board.append(hand);
      }
      const felt = element("div", "felt");
      if (now.trick) {
        for (const { text, seat } of now.trick.cards) {
          const shown = card(text);
          shown.classList.add(area(seat));
          if (seat === now.trick.winner) shown.classList.add("best");
          felt.append(shown);
        }
      } else {
        const latest = new Map(now.said);
        for (const [seat, call] of latest) felt.append(element("span", `said ${area(seat)}`, call));
      }
      board.append(felt);
      told.textContent = line(now);
      back.disabled = first.disabled = step === 0;
      next.disabled = end.disabled = step === steps();
      tabs.forEach((tab, n) => tab.setAttribute("aria-pressed", String(n === leg)));
    };
    const go = (to) => {
      step = Math.max(0, Math.min(steps(), to));
      draw();
    };
    const button = (text, label, act) => {
      const made = element("button", "", text);
      made.type = "button";
      made.setAttribute("aria-label", label);
      made.addEventListener("click", act);
      keys.append(made);
      return made;
    };
    const first = button("«", texts.beginning, () => go(0));
    const back = button("‹", texts.back, () => go(step - 1));
    const next = button("›", texts.on, () => go(step + 1));
    const end = button("»", texts.end, () => go(steps()));
    next.classList.add("next");
    const tabs = legs.map((one, n) => button(fill(texts.leg, { n: n + 1 }), one.title, () => { leg = n; go(0); }));
    root.addEventListener("keydown", (event) => {
      const to = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: steps() }[event.key];
      if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      go(to);
    });
    root.append(board, told, keys);
    place.replaceChildren(root);
    draw();
  };
  for (const deal of document.querySelectorAll("[data-legs]")) {
    const place = deal.querySelector(".replay");
    const open = () => { if (deal.open && !place.firstChild) build(deal, place); };
    deal.addEventListener("toggle", open);
    open();
  }
  // A table or picture that goes on beyond an edge is shaded there, so that one sees that it scrolls.
  const shaded = (scroll) => {
    const hidden = scroll.scrollWidth - scroll.clientWidth;
    scroll.parentElement.classList.toggle("before", scroll.scrollLeft > 1);
    scroll.parentElement.classList.toggle("after", scroll.scrollLeft < hidden - 1);
  };
  const resized = new ResizeObserver((entries) => entries.forEach((entry) => shaded(entry.target)));
  for (const scroll of document.querySelectorAll(".scroll")) {
    scroll.addEventListener("scroll", () => shaded(scroll), { passive: true });
    resized.observe(scroll);
  }
})();
