// Imports the padrón and the two lists into a new SQLite database:
// load.js SCHEMA PADRON WITHHOLDING GOOD_TAXPAYERS DATABASE TOKEN
//
// The text is windows-1252. TOKEN is the one Bearer token that app.js will accept.

import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import Database from "better-sqlite3";

const COLUMNS = 15;
const [schema, padron, withholding, goodTaxpayers, path, token] = process.argv.slice(2);

// The lines of a file, without the header. (node:readline decodes UTF-8 only.)
async function* lines(file) {
  const decoder = new TextDecoder("windows-1252");
  let rest = "";
  let header = true;
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
    const found = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = found.pop();
    yield header ? found.slice(1) : found;
    header = false;
  }
  if (rest) yield [rest];
}

const database = new Database(path);
database.pragma("journal_mode = OFF");
database.pragma("synchronous = OFF");
database.pragma("cache_size = -262144");
database.exec(readFileSync(schema, "utf8"));
database.exec("BEGIN");

const insert = database.prepare(`INSERT INTO padron VALUES (${Array(COLUMNS).fill("?").join(", ")})`);
for await (const batch of lines(padron)) {
  for (const line of batch) {
    const fields = line.split("|");
    if (fields.length < COLUMNS + 1) continue;
    // A name may contain the separator.
    if (fields.length > COLUMNS + 1) fields.splice(1, fields.length - 15, fields.slice(1, -14).join("|"));
    fields.pop();
    insert.run(fields);
  }
}
for (const [table, file] of [["retencion", withholding], ["buen_contribuyente", goodTaxpayers]]) {
  const add = database.prepare(`INSERT OR IGNORE INTO ${table} VALUES (?)`);
  // The lists end their lines with a carriage return.
  for (const line of readFileSync(file, "latin1").split(/[\r\n]+/).slice(1)) if (line) add.run(line.slice(0, 11));
}
database.prepare("INSERT INTO token VALUES (?)").run(createHash("sha256").update(token).digest());
database.exec("CREATE INDEX padron_ruc ON padron (ruc)");
database.exec("COMMIT");
database.pragma("journal_mode = WAL");
database.close();
