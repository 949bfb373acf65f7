// What the pages that look taxpayers up gain from a script. Without it every one still works.
"use strict";

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
