import "commander"
