/* Reading and writing the lines of the protocol, which ../README.md describes. */
#ifndef LINE_H
#define LINE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One request: the operation's name, and the input. */
struct request {
  char *name;
  unsigned char *bytes;
  size_t length;
};

static int digit(char c) {
  return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

/* Reads the next request; what it points to is good until the next call. Returns 0 at the end. */
static int read_request(struct request *request) {
  static char *line;
  static size_t room;
  for (;;) {
    ssize_t length = getline(&line, &room, stdin);
    if (length < 0) return 0;
    if (length > 0 && line[length - 1] == '\n') line[--length] = 0;
    if (length == 0) {
      fflush(stdout);
      continue;
    }
    char *space = strchr(line, ' ');
    char *digits = space ? space + 1 : line + length;
    if (space) *space = 0;
    request->name = line;
    request->bytes = (unsigned char *)digits;
    request->length = strlen(digits) / 2;
    for (size_t i = 0; i < request->length; i++) {
      request->bytes[i] = (unsigned char)(digit(digits[2 * i]) << 4 | digit(digits[2 * i + 1]));
    }
    return 1;
  }
}

/* Makes room for at least a number of items, and forgets what was there. */
static void *reserve(void **memory, size_t *room, size_t count, size_t size) {
  if (count > *room) {
    free(*memory);
    *room = count * 2;
    *memory = malloc(*room * size);
    if (!*memory) abort();
  }
  return *memory;
}

static void print_hex(const unsigned char *bytes, size_t length) {
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < length; i++) {
    putc_unlocked(digits[bytes[i] >> 4], stdout);
    putc_unlocked(digits[bytes[i] & 15], stdout);
  }
}

#endif
