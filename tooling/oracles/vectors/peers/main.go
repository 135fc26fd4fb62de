// Go's utf8.DecodeRune as a peer: one U+FFFD for each byte that it cannot read. It speaks the protocol
// of the peers in tooling/interop.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"runtime"
	"strings"
	"unicode/utf8"
)

func decode(data []byte) string {
	if !utf8.Valid(data) {
		return "fault - -"
	}
	return replace(data)
}

func replace(data []byte) string {
	var line strings.Builder
	line.WriteString("ok ")
	for len(data) > 0 {
		char, size := utf8.DecodeRune(data)
		fmt.Fprintf(&line, "%08x", char)
		data = data[size:]
	}
	return line.String()
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for lines.Scan() {
		if lines.Text() == "" {
			out.Flush()
			continue
		}
		name, digits, _ := strings.Cut(lines.Text(), " ")
		data, err := hex.DecodeString(digits)
		answer := "unknown " + name
		if err == nil {
			switch name {
			case "utf8.decode":
				answer = decode(data)
			case "utf8.replace":
				answer = replace(data)
			case "about":
				answer = "ok Go " + strings.TrimPrefix(runtime.Version(), "go")
			}
		}
		fmt.Fprintln(out, answer)
	}
}
