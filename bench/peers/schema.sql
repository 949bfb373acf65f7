-- The tables of every peer. They are filled without an index, because the padrón is not sorted: inserting 18 million
-- keys in random order into a B-tree takes longer than sorting them once at the end.
CREATE TABLE padron (
  ruc INTEGER NOT NULL,
  nombre TEXT NOT NULL, estado TEXT NOT NULL, condicion TEXT NOT NULL, ubigeo TEXT NOT NULL,
  tipo_via TEXT NOT NULL, nombre_via TEXT NOT NULL, codigo_zona TEXT NOT NULL, tipo_zona TEXT NOT NULL,
  numero TEXT NOT NULL, interior TEXT NOT NULL, lote TEXT NOT NULL, dpto TEXT NOT NULL, manzana TEXT NOT NULL,
  kilometro TEXT NOT NULL
);
CREATE TABLE retencion (ruc INTEGER PRIMARY KEY);
CREATE TABLE buen_contribuyente (ruc INTEGER PRIMARY KEY);
CREATE TABLE token (digest BLOB PRIMARY KEY);
