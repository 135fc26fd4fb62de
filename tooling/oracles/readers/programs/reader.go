// Go's strings as a reader: reader runes|valid|strict [--lines]. ../README.md has the protocol.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

func read(data []byte, mode string) (string, bool) {
	switch mode {
	case "runes":
		return string([]rune(string(data))), true
	case "valid":
		return strings.ToValidUTF8(string(data), "\uFFFD"), true
	}
	return string(data), utf8.Valid(data)
}

func main() {
	mode := os.Args[1]
	if len(os.Args) > 2 {
		lines := bufio.NewReader(os.Stdin)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			data, _ := hex.DecodeString(strings.TrimSpace(line))
			if text, ok := read(data, mode); ok {
				fmt.Println(hex.EncodeToString([]byte(text)))
			} else {
				fmt.Println("-")
			}
		}
	}
	data, _ := io.ReadAll(os.Stdin)
	text, ok := read(data, mode)
	if !ok {
		os.Exit(1)
	}
	os.Stdout.WriteString(text)
}
