/* Requests on stdin and answers on stdout: a length of four bytes in the order of the machine, and so many bytes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct frame {
  unsigned char *bytes;
  uint32_t length;
  size_t room;
};

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

/* Makes room for so many bytes, and one more. */
static void reserve(struct frame *frame, size_t length) {
  if (length < frame->room) return;
  frame->room = 2 * length + 64;
  frame->bytes = (unsigned char *)realloc(frame->bytes, frame->room);
  if (!frame->bytes) fail("no memory");
}

/* Reads a request, with a 00 after it. */
static int read_frame(struct frame *frame) {
  if (fread(&frame->length, sizeof frame->length, 1, stdin) != 1) return 0;
  reserve(frame, frame->length);
  if (fread(frame->bytes, 1, frame->length, stdin) != frame->length) fail("a request is cut");
  frame->bytes[frame->length] = 0;
  return 1;
}

static void write_frame(const void *bytes, uint32_t length) {
  fwrite(&length, sizeof length, 1, stdout);
  fwrite(bytes, 1, length, stdout);
}
