// Fails unless each file is valid PHP 7.4.
import { readFileSync } from "node:fs";
import Parser from "php-parser";

const parser = new Parser({ parser: { version: "7.4", extractDoc: false } });
for (const path of process.argv.slice(2)) parser.parseCode(readFileSync(path, "utf8"), path);
