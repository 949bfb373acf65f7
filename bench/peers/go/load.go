package main

import (
	"bufio"
	"crypto/sha256"
	"database/sql"
	"os"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

const columns = 15

// load imports the padrón and the two lists into a new SQLite database. The text is windows-1252.
func load(schemaFile, padron, withholding, goodTaxpayers, database, token string) error {
	schema, err := os.ReadFile(schemaFile)
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite3", database+"?_journal_mode=OFF&_synchronous=OFF&_cache_size=-262144")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(string(schema)); err != nil {
		return err
	}
	transaction, err := db.Begin()
	if err != nil {
		return err
	}
	defer transaction.Rollback()
	insert, err := transaction.Prepare("INSERT INTO padron VALUES (?" + strings.Repeat(", ?", columns-1) + ")")
	if err != nil {
		return err
	}
	values := make([]any, columns)
	err = eachLine(padron, func(line string) error {
		fields := strings.Split(line, "|")
		extra := len(fields) - columns - 1
		if extra < 0 {
			return nil
		}
		// A name may contain the separator.
		values[0], values[1] = fields[0], strings.Join(fields[1:2+extra], "|")
		for i := 2; i < columns; i++ {
			values[i] = fields[i+extra]
		}
		_, err := insert.Exec(values...)
		return err
	})
	if err != nil {
		return err
	}
	for table, file := range map[string]string{"retencion": withholding, "buen_contribuyente": goodTaxpayers} {
		add, err := transaction.Prepare("INSERT OR IGNORE INTO " + table + " VALUES (?)")
		if err != nil {
			return err
		}
		list, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		// The lists end their lines with a carriage return.
		lines := strings.FieldsFunc(string(list), func(r rune) bool { return r == '\r' || r == '\n' })
		for _, line := range lines[1:] {
			ruc, _, _ := strings.Cut(line, "|")
			if _, err := add.Exec(ruc); err != nil {
				return err
			}
		}
	}
	digest := sha256.Sum256([]byte(token))
	if _, err := transaction.Exec("INSERT INTO token VALUES (?)", digest[:]); err != nil {
		return err
	}
	if _, err := transaction.Exec("CREATE INDEX padron_ruc ON padron (ruc)"); err != nil {
		return err
	}
	if err := transaction.Commit(); err != nil {
		return err
	}
	_, err = db.Exec("PRAGMA journal_mode = WAL")
	return err
}

// eachLine calls do with each line after the header.
func eachLine(name string, do func(string) error) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(charmap.Windows1252.NewDecoder().Reader(bufio.NewReaderSize(file, 1<<20)))
	lines.Scan()
	for lines.Scan() {
		if err := do(lines.Text()); err != nil {
			return err
		}
	}
	return lines.Err()
}
