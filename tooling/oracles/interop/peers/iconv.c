/* glibc's iconv as a peer: UTF-8 to UCS-4BE, which has room for 31 bits. */
#include "line.h"

#include <errno.h>
#include <iconv.h>
#ifndef __GLIBC__
#error "this is not glibc, whose iconv is meant"
#endif
#include <gnu/libc-version.h>

static void decode(iconv_t converter, const struct request *request) {
  static void *memory;
  static size_t room;
  size_t left = request->length * 4 + 4;
  char *target = reserve(&memory, &room, left, 1);
  char *next = target;
  char *source = (char *)request->bytes;
  size_t rest = request->length;
  iconv(converter, NULL, NULL, NULL, NULL);
  if (iconv(converter, &source, &rest, &next, &left) == (size_t)-1) {
    const char *cause = errno == EILSEQ ? "EILSEQ" : errno == EINVAL ? "EINVAL" : "other";
    printf("fault %zu %s\n", request->length - rest, cause);
    return;
  }
  fputs("ok ", stdout);
  print_hex((unsigned char *)target, (size_t)(next - target));
  putchar('\n');
}

int main(void) {
  iconv_t utf8 = iconv_open("UCS-4BE", "UTF-8");
  if (utf8 == (iconv_t)-1) {
    perror("iconv_open");
    return 1;
  }
  struct request request;
  while (read_request(&request)) {
    if (!strcmp(request.name, "utf8.decode")) decode(utf8, &request);
    else if (!strcmp(request.name, "about")) printf("ok glibc %s\n", gnu_get_libc_version());
    else printf("unknown %s\n", request.name);
  }
  return 0;
}
