/* ICU's converters as a peer. */
#include "line.h"

#include <unicode/ucnv.h>
#include <unicode/ucnv_err.h>
#include <unicode/uversion.h>

static UConverter *open_converter(const char *name, int isStrict) {
  UErrorCode error = U_ZERO_ERROR;
  UConverter *converter = ucnv_open(name, &error);
  if (isStrict) {
    ucnv_setToUCallBack(converter, UCNV_TO_U_CALLBACK_STOP, NULL, NULL, NULL, &error);
    ucnv_setFromUCallBack(converter, UCNV_FROM_U_CALLBACK_STOP, NULL, NULL, NULL, &error);
  }
  if (U_FAILURE(error)) {
    fprintf(stderr, "%s: %s\n", name, u_errorName(error));
    exit(1);
  }
  return converter;
}

static void decode(UConverter *converter, const struct request *request) {
  static void *memory;
  static size_t room;
  UChar *target = reserve(&memory, &room, request->length + 1, sizeof(UChar));
  const UChar *limit = target + request->length + 1;
  const char *source = (const char *)request->bytes;
  const char *end = source + request->length;
  UErrorCode error = U_ZERO_ERROR;
  UChar *next = target;
  ucnv_reset(converter);
  ucnv_toUnicode(converter, &next, limit, &source, end, NULL, 1, &error);
  if (U_FAILURE(error)) {
    char invalid[32];
    int8_t length = sizeof invalid;
    UErrorCode ignored = U_ZERO_ERROR;
    ucnv_getInvalidChars(converter, invalid, &length, &ignored);
    printf("fault %ld %d\n", (long)(source - (const char *)request->bytes) - length, length);
    return;
  }
  fputs("ok ", stdout);
  for (const UChar *unit = target; unit < next; unit++) {
    const unsigned char bytes[2] = {(unsigned char)(*unit >> 8), (unsigned char)*unit};
    print_hex(bytes, 2);
  }
  putchar('\n');
}

static void encode(UConverter *converter, const struct request *request) {
  static void *units, *bytes;
  static size_t unitRoom, byteRoom;
  size_t length = request->length / 2;
  UChar *text = reserve(&units, &unitRoom, length + 1, sizeof(UChar));
  char *target = reserve(&bytes, &byteRoom, length * 3 + 1, 1);
  for (size_t i = 0; i < length; i++) {
    text[i] = (UChar)(request->bytes[2 * i] << 8 | request->bytes[2 * i + 1]);
  }
  const UChar *source = text;
  char *next = target;
  UErrorCode error = U_ZERO_ERROR;
  ucnv_reset(converter);
  ucnv_fromUnicode(converter, &next, target + length * 3 + 1, &source, text + length, NULL, 1, &error);
  if (U_FAILURE(error)) {
    UChar invalid[4];
    int8_t count = 4;
    UErrorCode ignored = U_ZERO_ERROR;
    ucnv_getInvalidUChars(converter, invalid, &count, &ignored);
    printf("fault %ld %d\n", (long)(source - text) - count, count);
    return;
  }
  fputs("ok ", stdout);
  print_hex((unsigned char *)target, (size_t)(next - target));
  putchar('\n');
}

int main(void) {
  UConverter *utf8 = open_converter("UTF-8", 1);
  UConverter *cesu8 = open_converter("CESU-8", 1);
  UConverter *utf8Lossy = open_converter("UTF-8", 0);
  UConverter *cesu8Lossy = open_converter("CESU-8", 0);
  struct request request;
  while (read_request(&request)) {
    if (!strcmp(request.name, "utf8.decode")) decode(utf8, &request);
    else if (!strcmp(request.name, "utf8.replace")) decode(utf8Lossy, &request);
    else if (!strcmp(request.name, "utf8.encode")) encode(utf8, &request);
    else if (!strcmp(request.name, "cesu8.decode")) decode(cesu8, &request);
    else if (!strcmp(request.name, "cesu8.replace")) decode(cesu8Lossy, &request);
    else if (!strcmp(request.name, "cesu8.encode")) encode(cesu8, &request);
    else if (!strcmp(request.name, "about")) puts("ok ICU " U_ICU_VERSION);
    else printf("unknown %s\n", request.name);
  }
  return 0;
}
