// What the pages that look taxpayers up gain from a script. Without it every one still works.
"use strict";

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}

const field = document.querySelector(".search #q");
if (field) suggestions(field);

// Companies whose names begin with the typed words. An arrow key or the mouse selects one.
function suggestions(field) {
  const list = Object.assign(document.createElement("ul"), { id: "q-list", hidden: true });
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Empresas");
  field.after(list);
  for (const [name, value] of [["role", "combobox"], ["aria-controls", list.id], ["aria-autocomplete", "list"]]) {
    field.setAttribute(name, value);
  }
  let timer, request, chosen = -1;

  const choose = (at) => {
    chosen = at;
    [...list.children].forEach((option, index) => option.setAttribute("aria-selected", index === at));
    if (at < 0) field.removeAttribute("aria-activedescendant");
    else field.setAttribute("aria-activedescendant", list.children[at].id);
  };
  const show = (companies) => {
    list.replaceChildren(...companies.map(({ ruc, nombre }, index) => {
      const option = Object.assign(document.createElement("li"), { id: "q-" + index });
      option.setAttribute("role", "option");
      option.dataset.ruc = ruc;
      option.append(nombre, Object.assign(document.createElement("span"), { className: "small muted", textContent: ruc }));
      return option;
    }));
    list.hidden = companies.length === 0;
    field.setAttribute("aria-expanded", !list.hidden);
    choose(-1);
  };
  const open = (option) => { location.href = "/panel/consultar/" + option.dataset.ruc; };

  show([]);
  field.addEventListener("input", () => {
    clearTimeout(timer);
    request?.abort();
    const text = field.value.trim();
    if (text.length < 3 || !/\p{L}/u.test(text)) return show([]);
    timer = setTimeout(async () => {
      request = new AbortController();
      try {
        const answer = await fetch("/panel/consultar/sugerencias?" + new URLSearchParams({ q: text }), { signal: request.signal });
        show(answer.ok && !answer.redirected ? await answer.json() : []);
      } catch { /* typed on, or no connection: the field works without suggestions */ }
    }, 250);
  });
  field.addEventListener("keydown", (event) => {
    const count = list.hidden ? 0 : list.children.length;
    if (event.key === "Escape" && count) show([]);
    else if (event.key === "Enter" && chosen >= 0) open(list.children[chosen]);
    else if (event.key === "ArrowDown" && count) choose((chosen + 1) % count);
    else if (event.key === "ArrowUp" && count) choose(chosen <= 0 ? count - 1 : chosen - 1);
    else return;
    event.preventDefault();
  });
  list.addEventListener("mousedown", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) open(option);
  });
  field.addEventListener("blur", () => show([]));
}

const upload = document.querySelector("[data-drop]");
if (upload) {
  addEventListener("dragover", (event) => { event.preventDefault(); upload.classList.add("over"); });
  addEventListener("dragleave", () => upload.classList.remove("over"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    upload.classList.remove("over");
    if (!event.dataTransfer.files.length) return;
    upload.querySelector("[type=file]").files = event.dataTransfer.files;
    upload.requestSubmit();
  });
}

const list = document.getElementById("list");
if (list) {
  const table = tools(list);
  const form = list.querySelector(".run");
  if (form) run(list, form, table);
}

// The cells of each row's line in a downloaded file, which the page has once, separated by tabs.
function withCells(list) {
  const lines = (list.querySelector("[name=rows]")?.value ?? "").split("\n");
  const rows = [...list.querySelectorAll("tbody tr")];
  rows.forEach((row, index) => { row.line = lines[index]; });
  return rows;
}

// Sorts and filters the table, and hands its rows to the form of the download.
function tools(list) {
  withCells(list);
  const body = list.querySelector("tbody");
  const rows = () => [...body.rows];
  const [filter, save] = [list.querySelector(".filter"), list.querySelector(".save")];
  const select = filter.querySelector("select");
  const order = new Intl.Collator("es", { numeric: true });

  const apply = () => {
    const wanted = select.value;
    for (const row of rows()) {
      const problems = row.dataset.problems;
      row.hidden = wanted === "*" ? !problems : wanted !== "" && !problems.split("|").includes(wanted);
    }
  };
  select.addEventListener("change", apply);

  list.querySelectorAll("thead th").forEach((head, column) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: head.textContent });
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const sign = head.ariaSort === "ascending" ? -1 : 1;
      for (const other of head.parentNode.cells) other.ariaSort = null;
      head.ariaSort = sign > 0 ? "ascending" : "descending";
      const keyed = rows().map((row) => [row.cells[column].textContent.trim(), row]);
      // Empty cells stay at the end.
      keyed.sort(([a], [b]) => (a === "") - (b === "") || sign * order.compare(a, b));
      body.append(...keyed.map(([, row]) => row));
    });
  });

  save.addEventListener("submit", () => {
    save.elements.rows.value = rows().map((row) => row.line).join("\n");
  });

  const update = () => {
    const counts = new Map();
    let some = 0;
    for (const row of rows()) {
      if (row.dataset.problems) some += 1;
      for (const problem of row.dataset.problems.split("|").filter(Boolean)) {
        counts.set(problem, (counts.get(problem) ?? 0) + 1);
      }
    }
    const wanted = select.value;
    const option = (value, text) => new Option(text, value, false, value === wanted);
    const sorted = [...counts].sort(([, a], [, b]) => b - a);
    select.replaceChildren(
      option("", "todas (" + count(body.rows.length) + ")"),
      option("*", "con algo que notar (" + count(some) + ")"),
      ...sorted.map(([problem, times]) => option(problem, problem + " (" + count(times) + ")")),
    );
    filter.hidden = some === 0;
    save.hidden = false;
    apply();
  };
  update();
  return { update };
}

function count(number) {
  return number.toLocaleString("en-US");
}

// Sends the rows that wait, one batch after the other, at the rate of the plan.
function run(list, form, table) {
  const [button, bar, status] = ["button", "progress", "[role=status]"].map((one) => form.querySelector(one));
  const waiting = [...list.querySelectorAll("tr[data-item]")];
  const total = waiting.length;
  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  let size = Number(list.dataset.batch), running = false;
  // The lines of the file that have a row's item, and the item.
  const item = (row) => {
    const [lines, ...cells] = row.line.split("\t");
    return lines + "\t" + cells.slice(0, Number(list.dataset.fields)).join("|");
  };

  const say = (text) => {
    const done = total - waiting.length;
    bar.value = done;
    status.textContent = count(done) + " de " + count(total) + " consultados. " + text;
  };
  const warn = (event) => event.preventDefault();
  const end = (text) => {
    running = false;
    removeEventListener("beforeunload", warn);
    button.textContent = "Continuar con los " + count(waiting.length) + " que faltan";
    button.hidden = waiting.length === 0;
    table.update();
    say(text);
  };

  button.textContent = button.dataset.all;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (running) {
      running = false;
      button.disabled = true;
      return;
    }
    running = true;
    bar.hidden = false;
    button.textContent = "Detener";
    addEventListener("beforeunload", warn);
    try {
      end(await send());
    } catch {
      end("Se perdió la conexión. Los últimos " + count(Math.min(size, waiting.length)) + " pueden haberse cobrado.");
    }
    button.disabled = false;
  });

  // Returns why it ended.
  async function send() {
    // The session may be a newer one than the page's.
    const page = await read(await fetch("/panel/lista"));
    const token = page.querySelector("main [name=form_token]")?.value;
    if (!token) return "Su sesión terminó: ingrese en otra pestaña y continúe aquí.";
    for (const field of document.querySelectorAll("[name=form_token]")) field.value = token;
    say("");
    for (let tries = 0; running && waiting.length;) {
      const batch = waiting.slice(0, size);
      const items = batch.map(item).join("\n");
      const began = performance.now();
      const answer = await fetch(form.action, {
        method: "POST",
        body: new URLSearchParams({ form_token: token, kind: list.dataset.kind, items }),
      });
      const page = await read(answer);
      const rows = answer.ok ? withCells(page) : [];
      const again = Number(answer.headers.get("Retry-After"));
      const lead = page.querySelector(".lead");
      if (rows.length === batch.length) {
        batch.forEach((row, index) => row.replaceWith(rows[index]));
        waiting.splice(0, batch.length);
        tries = 0;
        table.update();
        say("");
        if (waiting.length) await pause(Number(list.dataset.pause) - (performance.now() - began));
      } else if (again > 0 && tries < 10) {
        tries += 1;
        await pause(again * 1000);
      } else if (lead?.dataset.left > 0 && lead.dataset.left < size) {
        size = Number(lead.dataset.left);
      } else {
        return lead ? lead.textContent : "Su sesión terminó: ingrese en otra pestaña y continúe aquí.";
      }
    }
    return waiting.length ? "Lo detuvo usted." : "Terminado. La lista no se guarda: descárguela si la necesita.";
  }

  async function read(answer) {
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  }
}
