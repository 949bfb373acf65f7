// What the pages gain from a script: copy buttons, and the playground's call. Without it every page still works.
"use strict";

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = !navigator.clipboard;
  const title = button.textContent;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      button.textContent = "Copiado";
    } catch {
      button.textContent = "No se pudo copiar";
    }
    setTimeout(() => { button.textContent = title; }, 2000);
  });
}

// A form that is sent after the end of the session gets its texts back after the log-in; passwords and files are never kept.
const KEPT = "form";
if (location.pathname !== "/ingresar") {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
  sessionStorage.removeItem(KEPT);
  if (kept?.page === location.pathname && new URL(document.referrer || location.href).pathname === "/ingresar") {
    for (const [action, name, value] of kept.texts) {
      const place = document.querySelector(`form[action="${action}"] [name="${name}"]`);
      if (place) place.value = value;
    }
  }
  addEventListener("submit", (event) => {
    const typed = "textarea, select, input:not([type=hidden], [type=password], [autocomplete$=password], [type=file], [type=checkbox], [type=radio])";
    const action = event.target.getAttribute("action");
    const texts = [...event.target.querySelectorAll(typed)].map((place) => [action, place.name, place.value]);
    if (event.target.method === "post" && action?.startsWith("/panel/") && texts.length) {
      sessionStorage.setItem(KEPT, JSON.stringify({ page: location.pathname, texts }));
    }
  });
}

// A box that shows what is typed as a password.
for (const field of document.querySelectorAll("[autocomplete$=password]")) {
  const box = Object.assign(document.createElement("input"), { type: "checkbox" });
  const label = Object.assign(document.createElement("label"), { className: "reveal" });
  label.append(box, "Mostrar");
  box.addEventListener("change", () => { field.type = box.checked ? "text" : "password"; });
  field.after(label);
}

const form = document.getElementById("call");
if (form) playground(form);

function playground(form) {
  const at = (id) => document.getElementById(id);
  const [body, secret, send, whyNot, outcome] = ["body", "secret", "send", "why-not", "outcome"].map(at);
  const examples = [...document.querySelectorAll("[data-example]")];
  const quotes = {
    "": (text) => text,
    shell: (text) => text.replaceAll("'", "'\\''"),
    php: (text) => text.replaceAll("\\", "\\\\").replaceAll("'", "\\'"),
  };

  // The page never remembers the token, not even when the browser would bring the page back.
  addEventListener("pagehide", () => { secret.value = ""; });
  send.disabled = false;
  whyNot.textContent = "";

  const follow = () => {
    for (const place of document.querySelectorAll("[data-quote]")) {
      place.textContent = quotes[place.dataset.quote](body.value.trim());
    }
    for (const link of examples) {
      if (link.dataset.example === body.value) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  body.addEventListener("input", follow);
  for (const link of examples) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      body.value = link.dataset.example;
      follow();
    });
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const token = secret.value.trim();
    if (!/^[\x21-\x7e]+$/.test(token)) {
      whyNot.textContent = token ? "Un token tiene solo letras, cifras y guion bajo." : "Falta el token.";
      secret.focus();
      return;
    }
    whyNot.textContent = "Enviando…";
    send.disabled = true;
    const began = performance.now();
    try {
      const answer = await fetch(form.dataset.path, {
        method: "POST",
        headers: { "Accept": "application/json", "Content-Type": "application/json", "Authorization": "Bearer " + token },
        body: body.value,
        credentials: "omit",
        cache: "no-store",
      });
      const text = await answer.text();
      show(answer, text, performance.now() - began);
      whyNot.textContent = "";
    } catch {
      whyNot.textContent = "No hubo respuesta: revise su conexión y vuelva a intentar.";
    } finally {
      send.disabled = false;
    }
  });

  function show(answer, text, took) {
    let pretty = text;
    try { pretty = JSON.stringify(JSON.parse(text), null, 2); } catch { /* shown as it came */ }
    at("answer-body").textContent = pretty;
    const tone = answer.ok ? "good" : answer.status >= 500 || answer.status === 429 ? "warn" : "bad";
    const span = (className, text) => Object.assign(document.createElement("span"), { className, textContent: text });
    const time = took.toLocaleString("es-PE", { maximumFractionDigits: 1 }) + " ms";
    outcome.replaceChildren(span("tag " + tone, answer.status), span("small muted number", time));
    const headers = [...answer.headers].flatMap(([name, value]) => [
      Object.assign(document.createElement("dt"), { textContent: name }),
      Object.assign(document.createElement("dd"), { textContent: value }),
    ]);
    at("answer-headers").replaceChildren(...headers);
    at("waiting").hidden = true;
    at("answer").hidden = false;
  }
}
