// The peer with Go's net/http and mattn/go-sqlite3: `POST /ruc` from a database that it imports itself.
//
//	peer load SCHEMA PADRON WITHHOLDING GOOD_TAXPAYERS DATABASE TOKEN
//	DATABASE=… DEPARTMENTS=… ADDRESS=HOST:PORT peer serve
//	peer version
package main

import (
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	sqlite3 "github.com/mattn/go-sqlite3"
)

const query = `
SELECT p.*, EXISTS (SELECT 1 FROM retencion r WHERE r.ruc = p.ruc),
       EXISTS (SELECT 1 FROM buen_contribuyente b WHERE b.ruc = p.ruc)
FROM padron p WHERE ruc = ?`

type taxpayer struct {
	Ruc          string `json:"ruc"`
	Name         string `json:"nombre_o_razon_social"`
	Status       string `json:"estado"`
	Condition    string `json:"condicion"`
	Address      string `json:"direccion"`
	Department   string `json:"departamento"`
	Withholding  string `json:"es_agente_de_retencion"`
	GoodTaxpayer string `json:"es_buen_contribuyente"`
}

type envelope struct {
	Success   bool      `json:"success"`
	Code      string    `json:"code"`
	Retryable bool      `json:"retryable"`
	Data      *taxpayer `json:"data,omitempty"`
	Message   string    `json:"message,omitempty"`
	Time      float64   `json:"time,omitempty"`
}

type server struct {
	query       *sql.Stmt
	tokens      [][]byte
	departments []string
}

func main() {
	var err error
	switch arguments := os.Args[1:]; {
	case len(arguments) == 7 && arguments[0] == "load":
		err = load(arguments[1], arguments[2], arguments[3], arguments[4], arguments[5], arguments[6])
	case len(arguments) == 1 && arguments[0] == "serve":
		err = serve(os.Getenv("DATABASE"), os.Getenv("DEPARTMENTS"), os.Getenv("ADDRESS"))
	case len(arguments) == 1 && arguments[0] == "version":
		sqlite, _, _ := sqlite3.Version()
		fmt.Printf("%s, SQLite %s\n", strings.Replace(runtime.Version(), "go", "Go ", 1), sqlite)
	default:
		err = errors.New("usage: peer load …, peer serve, peer version")
	}
	if err != nil {
		log.Fatal(err)
	}
}

func serve(database, departmentsFile, address string) error {
	sql.Register("sqlite3_mmap", &sqlite3.SQLiteDriver{ConnectHook: func(connection *sqlite3.SQLiteConn) error {
		_, err := connection.Exec("PRAGMA mmap_size = 4294967296", nil)
		return err
	}})
	db, err := sql.Open("sqlite3_mmap", database)
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(4)
	db.SetMaxIdleConns(4)
	this := server{}
	if this.query, err = db.Prepare(query); err != nil {
		return err
	}
	if this.tokens, err = tokens(db); err != nil {
		return err
	}
	departments, err := os.ReadFile(departmentsFile)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(departments, &this.departments); err != nil {
		return err
	}
	http.HandleFunc("/ruc", this.ruc)
	return http.ListenAndServe(address, nil)
}

func tokens(db *sql.DB) ([][]byte, error) {
	rows, err := db.Query("SELECT digest FROM token")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found [][]byte
	for rows.Next() {
		var digest []byte
		if err := rows.Scan(&digest); err != nil {
			return nil, err
		}
		found = append(found, digest)
	}
	return found, rows.Err()
}

func (s *server) ruc(response http.ResponseWriter, request *http.Request) {
	started := time.Now()
	if request.Method != http.MethodPost {
		answer(response, http.StatusMethodNotAllowed, envelope{Code: "method_not_allowed", Message: "Use POST"})
		return
	}
	if !s.isKnown(request.Header.Get("Authorization")) {
		answer(response, http.StatusUnauthorized, envelope{Code: "unauthorized", Message: "El token no es válido"})
		return
	}
	var question struct {
		Ruc string `json:"ruc"`
	}
	err := json.NewDecoder(http.MaxBytesReader(response, request.Body, 16<<10)).Decode(&question)
	ruc, invalid := strconv.ParseUint(question.Ruc, 10, 64)
	if err != nil || invalid != nil || len(question.Ruc) != 11 {
		answer(response, http.StatusBadRequest, envelope{Code: "invalid_input", Message: "El RUC no es válido"})
		return
	}
	found, err := s.lookup(ruc)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		answer(response, http.StatusNotFound, envelope{Code: "document_not_found", Message: "El RUC no existe"})
	case err != nil:
		log.Print(err)
		answer(response, http.StatusInternalServerError, envelope{Code: "internal_error", Message: "Error interno"})
	default:
		found.Ruc = question.Ruc
		took := time.Since(started).Seconds()
		answer(response, http.StatusOK, envelope{Success: true, Code: "found", Data: found, Time: took})
	}
}

func (s *server) isKnown(authorization string) bool {
	token, isBearer := strings.TrimPrefix(authorization, "Bearer "), strings.HasPrefix(authorization, "Bearer ")
	digest := sha256.Sum256([]byte(token))
	known := 0
	for _, candidate := range s.tokens {
		known |= subtle.ConstantTimeCompare(digest[:], candidate)
	}
	return isBearer && known == 1
}

func (s *server) lookup(ruc uint64) (*taxpayer, error) {
	var row [columns]string
	var withholding, goodTaxpayer bool
	into := make([]any, 0, columns+2)
	for i := range row {
		into = append(into, &row[i])
	}
	if err := s.query.QueryRow(int64(ruc)).Scan(append(into, &withholding, &goodTaxpayer)...); err != nil {
		return nil, err
	}
	return &taxpayer{
		Name:         clean(row[1]),
		Status:       clean(row[2]),
		Condition:    clean(row[3]),
		Address:      address(&row),
		Department:   s.department(row[4]),
		Withholding:  flag(withholding),
		GoodTaxpayer: flag(goodTaxpayer),
	}, nil
}

func (s *server) department(ubigeo string) string {
	if len(ubigeo) >= 2 {
		if number, err := strconv.Atoi(ubigeo[:2]); err == nil && number >= 1 && number <= len(s.departments) {
			return s.departments[number-1]
		}
	}
	return ""
}

func address(row *[columns]string) string {
	var line []string
	for _, column := range []struct {
		prefix string
		index  int
	}{{"", 5}, {"", 6}, {"NRO. ", 9}, {"INT. ", 10}, {"DPTO. ", 12}, {"MZA. ", 13}, {"LOTE. ", 11}, {"KM. ", 14}, {"", 7}, {"", 8}} {
		if value := clean(row[column.index]); value != "" {
			line = append(line, column.prefix+value)
		}
	}
	return strings.Join(line, " ")
}

func clean(value string) string {
	// Hyphens alone stand for no value.
	if strings.Trim(value, "-") == "" {
		return ""
	}
	return strings.Join(strings.Fields(value), " ")
}

func flag(is bool) string {
	if is {
		return "SI"
	}
	return "NO"
}

func answer(response http.ResponseWriter, status int, body envelope) {
	response.Header().Set("Content-Type", "application/json")
	response.WriteHeader(status)
	if err := json.NewEncoder(response).Encode(body); err != nil {
		log.Print(err)
	}
}
