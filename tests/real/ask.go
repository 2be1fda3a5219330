// Holds the conversation of talk.py under go-vcr, which writes CASSETTE.yaml:
// go run tests/real/ask.go http://127.0.0.1:8765 CASSETTE
package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"

	"github.com/dnaeon/go-vcr/recorder"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func read(response *http.Response, err error) string {
	must(err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	must(err)
	return string(body)
}

func main() {
	base := os.Args[1]
	page := read(http.Get(base + "/"))
	spelled := regexp.MustCompile(`for \(const body of (.*)\) \{\n`).FindStringSubmatch(page)[1]
	var bodies []string
	must(json.Unmarshal([]byte(spelled), &bodies))

	tape, err := recorder.New(os.Args[2])
	must(err)
	client := &http.Client{Transport: tape}
	for _, body := range bodies {
		read(client.Post(base+"/chat/completions", "application/json", strings.NewReader(body)))
	}
	read(client.Get(base + "/events"))
	must(tape.Stop())
}
