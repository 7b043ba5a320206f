"use strict";
(() => {
  // What `data.py` has written. A text, or a list of texts, is known by its number.
  const data = JSON.parse(document.getElementById("data").textContent);
  const { texts, lists, marks, nodes, steps } = data;
  const list = (number) => lists[number].map((i) => texts[i]);
  const byId = (id) => document.getElementById(id);
  const listing = byId("code");
  const element = (mark) => (mark < 0 ? null : byId("e" + mark));

  // Elements are made of texts, never of markup.
  function make(tag, classes, ...parts) {
    const made = document.createElement(tag);
    if (classes) made.className = classes;
    made.append(...parts);
    return made;
  }
  const code = (text) => make("code", "", text);

  function place(mark) {
    const link = make("a", "at", marks[mark][3] + ":" + marks[mark][4]);
    link.href = "#e" + mark;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      show(element(mark), true);
    });
    return link;
  }

  function show(target, focus) {
    if (!target) return;
    const before = listing.scrollLeft;
    target.scrollIntoView({ block: "nearest", inline: "nearest" });
    listing.scrollLeft = before;
    const box = listing.getBoundingClientRect();
    const [part] = target.getClientRects();
    if (part) {
      // The beginning of what is shown is to be seen, and what stands before it, if there is room.
      const end = part.right - box.left + before;
      if (end <= box.width) listing.scrollLeft = 0;
      else if (part.left < box.left || part.right > box.right) listing.scrollLeft += part.left - box.left - 60;
    }
    if (focus) target.focus({ preventScroll: true });
  }

  // --- the address says what is shown: #step=12&open=3
  const state = { step: 0, open: -1 };
  let go = () => {}; // to a step of the trace, if there is one
  // Browsers let a page change its address some hundred times in half a minute: of what is shown in turn the last counts.
  let due = 0;
  function remember() {
    if (!due) due = setTimeout(remembered, 350);
  }
  function remembered() {
    due = 0;
    const parts = [];
    if (state.step > 0) parts.push("step=" + state.step);
    if (state.open >= 0) parts.push("open=" + state.open);
    try {
      history.replaceState(null, "", parts.length ? "#" + parts.join("&") : location.pathname + location.search);
    } catch (problem) {
      // Where a page may not change its address, it does not.
    }
  }
  function follow() {
    const asked = /^#(?:[a-z]+=\d+&?)+$/.test(location.hash) ? new URLSearchParams(location.hash.slice(1)) : null;
    if (!asked) {
      const target = /^#e(\d+)$/.exec(location.hash);
      if (target) choose(Number(target[1]), false);
      return;
    }
    if (asked.has("open")) choose(Number(asked.get("open")), false);
    if (asked.has("step")) go(Number(asked.get("step")), false);
  }

  // --- types where the mouse or the focus is
  const tip = byId("tip");
  function mention(target) {
    const marked = target && target.closest ? target.closest("[data-e]") : null;
    if (!marked) {
      tip.hidden = true;
      return;
    }
    const mark = marks[Number(marked.dataset.e)];
    tip.textContent = texts[mark[0]] + ": " + texts[mark[1]];
    tip.hidden = false;
    const box = marked.getClientRects()[0] || marked.getBoundingClientRect();
    const left = Math.min(box.left, document.documentElement.clientWidth - tip.offsetWidth - 8);
    const above = box.top - tip.offsetHeight - 4;
    tip.style.left = Math.max(4, left) + window.scrollX + "px";
    tip.style.top = (above < 0 ? box.bottom + 4 : above) + window.scrollY + "px";
  }
  listing.addEventListener("mouseover", (event) => mention(event.target));
  listing.addEventListener("mouseleave", () => mention(null));
  listing.addEventListener("focusin", (event) => mention(event.target));
  listing.addEventListener("focusout", () => mention(null));

  // --- derivations, folded open one by one
  const why = byId("derivation");
  // What a node is called where it is no expression that has a name.
  const WORDS = {
    annotation: "is annotated", constant: "is a constant", use: "has its type from where it is used",
    generalised: "what is left open is made general", step: "concludes",
  };
  function headline(number) {
    const [kind, name, type, relation, clause] = nodes[number];
    const parts = [code(texts[name])];
    if (texts[type]) parts.push(" : ", code(texts[type]));
    const by = [WORDS[texts[kind]] || "", texts[relation]];
    if (texts[clause]) by.push("clause " + texts[clause]);
    const said = by.filter((word) => word).join(", ");
    if (said) parts.push(make("span", "by", " " + said));
    return parts;
  }
  function derived(number, open) {
    const node = nodes[number];
    const item = make("li", "");
    const premises = list(node[5]);
    const rests = node[6];
    const where = node[7] >= 0 ? [place(node[7])] : [];
    if (!premises.length && !rests.length) {
      item.append(...where, ...headline(number));
      return item;
    }
    const details = make("details", "", make("summary", "", ...where, ...headline(number)));
    let filled = false;
    const fill = () => {
      if (filled) return;
      filled = true;
      if (premises.length) details.append(make("div", "premises", premises.join("\n")));
      if (rests.length) details.append(make("ul", "", ...rests.map((rest) => derived(rest, false))));
    };
    details.addEventListener("toggle", () => details.open && fill());
    if (open) {
      fill();
      details.open = true;
    }
    item.append(details);
    return item;
  }
  function choose(number, focus) {
    if (!(number >= 0 && number < marks.length)) return;
    for (const old of document.querySelectorAll(".chosen")) old.classList.remove("chosen");
    for (const part of document.querySelectorAll('[data-e="' + number + '"]')) part.classList.add("chosen");
    const [name, type, node] = marks[number];
    const title = make("p", "", place(number), code(texts[name]), " : ", code(texts[type]));
    why.replaceChildren(title);
    if (node >= 0) why.append(make("ul", "tree", derived(node, true)));
    else why.append(make("p", "quiet", "Its derivation is not on this page."));
    state.open = number;
    show(element(number), focus);
  }
  function chosen(event) {
    const marked = event.target.closest("[data-e]");
    if (!marked) return;
    choose(Number(marked.dataset.e), false);
    remember();
  }
  listing.addEventListener("click", chosen);
  listing.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      chosen(event);
      event.preventDefault();
    }
  });

  // --- the trace
  if (steps.length) {
    const slider = byId("slider");
    const table = byId("known").tBodies[0];
    const MOST = 300;
    const first = new Map(); // of each site the first step
    steps.forEach((row, i) => first.has(row[0]) || first.set(row[0], i));
    const fact = (name, ...parts) => [make("dt", "", name), make("dd", "", ...parts)];
    const spread = (items) => items.flatMap((item, i) => (i ? [", ", item] : [item]));

    function site(number) {
      const at = first.get(number);
      if (at === undefined) return code("site " + number);
      const mark = steps[at][15];
      const name = texts[steps[at][2]] || texts[steps[at][4]];
      return mark >= 0 ? make("span", "", place(mark), code(name)) : code(name);
    }
    function told(row) {
      const [number, fn, callee, where, relation, clause, outcome, message, attempt] = row;
      const [knew, alternatives, answers, exhausted, concluded, woke, mark] = row.slice(9);
      const name = texts[callee] || "what is left open";
      const title = make("p", "", ...(mark >= 0 ? [place(mark)] : []), make("b", "", name), " in ", code("@" + texts[fn]));
      if (texts[where]) title.append(", " + texts[where]);
      const facts = [...fact("outcome", texts[outcome] + (texts[message] ? ": " + texts[message] : ""))];
      if (texts[relation]) {
        const part = texts[clause] ? ", clause " + texts[clause] : "";
        facts.push(...fact("relation", code(texts[relation]), part + (attempt > 1 ? ", attempt " + attempt : "")));
      }
      const terms = list(knew);
      if (terms.length) facts.push(...fact("it knew", ...spread(terms.map(code))));
      if (alternatives !== null && !(alternatives === 1 && exhausted)) {
        const some = answers.map((answer) => make("div", "", code(list(answer).join(", "))));
        const count = alternatives + (exhausted ? "" : " or more") + (answers.length < alternatives ? ", the first" : "");
        facts.push(...fact("alternatives", count, ...some));
      }
      const news = concluded.map(([v, before, after]) => {
        const was = before === v ? [] : [code(texts[before]), " became "];
        return make("div", "", code(texts[v]), ": ", ...was, code(texts[after]));
      });
      facts.push(...fact("concluded", ...(news.length ? news : ["nothing"])));
      if (woke.length) facts.push(...fact("woke", ...spread(woke.map(site))));
      return [title, make("dl", "facts", ...facts)];
    }
    // What is known after some steps: the last conclusions are shown first.
    function known(count) {
      const values = new Map();
      for (let i = 0; i < count; i++) {
        for (const [variable, , after] of steps[i][13]) {
          values.delete(variable);
          values.set(variable, [after, i + 1]);
        }
      }
      const rows = [...values].reverse();
      const shown = rows.slice(0, MOST).map(([variable, [after, at]]) => {
        const row = make("tr", at === count ? "new" : "", make("td", "", code(texts[variable])));
        row.append(make("td", "", code(texts[after])), make("td", "by", "step " + at));
        return row;
      });
      if (rows.length > MOST) shown.push(make("tr", "", make("td", "quiet", rows.length - MOST + " more, known before")));
      if (!rows.length) shown.push(make("tr", "", make("td", "quiet", "nothing yet")));
      return shown;
    }
    go = (wanted, keep) => {
      state.step = Math.max(0, Math.min(steps.length, wanted));
      for (const old of document.querySelectorAll(".now")) old.classList.remove("now");
      slider.value = state.step;
      byId("count").textContent = state.step.toLocaleString("en") + " of " + steps.length.toLocaleString("en");
      if (state.step > 0) {
        const row = steps[state.step - 1];
        byId("step").replaceChildren(...told(row));
        const mark = row[15];
        if (mark >= 0) {
          for (const part of document.querySelectorAll('[data-e="' + mark + '"]')) part.classList.add("now");
          show(element(mark), false);
        }
      } else byId("step").replaceChildren(make("p", "quiet", "Before the first step."));
      table.replaceChildren(...known(state.step));
      if (keep) remember();
    };
    byId("first").addEventListener("click", () => go(0, true));
    byId("back").addEventListener("click", () => go(state.step - 1, true));
    byId("forth").addEventListener("click", () => go(state.step + 1, true));
    byId("last").addEventListener("click", () => go(steps.length, true));
    slider.addEventListener("input", () => go(Number(slider.value), true));
    document.addEventListener("keydown", (event) => {
      if (event.target === slider || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      const steppers = { ArrowLeft: state.step - 1, ArrowRight: state.step + 1, Home: 0, End: steps.length };
      const inTrace = byId("trace").contains(event.target);
      if (!(event.key in steppers) || (!inTrace && (event.key === "Home" || event.key === "End"))) return;
      event.preventDefault();
      go(steppers[event.key], true);
    });
    table.replaceChildren(...known(0));
  }
  window.addEventListener("hashchange", follow);
  follow();
})();
