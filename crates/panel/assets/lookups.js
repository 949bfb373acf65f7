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
        if (answer.status === 503) document.querySelector("#q-help").textContent = (await answer.json()).mensaje;
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

const list = document.querySelector("#list[data-running]");
if (list) follow(list);

// Shows how far a run is, until it has ended.
async function follow(list) {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    try {
      const answer = await fetch(location.href);
      if (answer.redirected) return location.reload();
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const now = page.querySelector("#list[data-running]");
      if (!now) { if (answer.ok) return location.reload(); continue; }
      for (const part of ["progress", "[role=status]"]) {
        list.querySelector(part).replaceWith(now.querySelector(part));
      }
    } catch { /* no connection: the server goes on, and the next answer says how far it is */ }
  }
}
