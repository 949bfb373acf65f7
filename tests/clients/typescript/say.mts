// What is asked, and how an answer is printed, in each program of this folder.
export const [baseUrl = "", token = ""] = process.argv.slice(2);

export const COMPANY = "20999990038";
export const ABSENT = "20999999990";
export const DAY = "2026-10-24";
export const RATE_DAY = "2026-09-06";
export const VOUCHER = {
  ruc_emisor: "20999990062",
  codigo_tipo_documento: "01" as const,
  serie_documento: "F001",
  numero_documento: "1",
  fecha_de_emision: "2026-01-15",
  total: 118,
};

type Value = string | number | boolean | null | undefined;

/** A line with a name, and values or groups of values; what is undefined is left out. */
export function say(name: string, ...values: (Value | Value[])[]): void {
  const isGrouped = values.some(Array.isArray);
  const texts = values.map((value) => [value].flat().filter((it) => it !== undefined).map(String).join(" "));
  console.log(name, texts.join(isGrouped ? ", " : " "));
}
