import "node:fs"
