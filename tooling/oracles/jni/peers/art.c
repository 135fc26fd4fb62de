/*
 * What the comments and names of ART's JNI say that NewStringUTF does, in as few words as possible: there is no ART
 * to run here. (platform/art, runtime/jni/jni_internal.cc, as of Android 14.)
 *
 *   art <requests >answers
 *
 * - A byte whose highest bit is 0 is a character of one byte.
 * - Of any other, the third and fourth highest bits say the length: 0 is two bytes, 10 is three, 11 is four. Its
 *   second highest bit is not checked; nor are the two highest bits of the bytes that follow.
 * - What the end cuts is one question mark, and the last character.
 * - Four bytes are a surrogate pair of the low 20 bits of their value less 10000.
 */
#include "frame.h"

#include <string.h>

int main(void) {
  struct frame request = {0}, answer = {0};
  while (read_frame(&request)) {
    size_t length = strlen((char *)request.bytes), units = 0;
    reserve(&answer, 2 * length);
    uint16_t *target = (uint16_t *)answer.bytes;
    for (size_t at = 0; at < length;) {
      const unsigned char *p = request.bytes + at;
      static const unsigned char sizes[] = {2, 2, 3, 4}; /* by the third and the fourth bit */
      size_t size = p[0] < 0x80 ? 1 : sizes[p[0] / 16 % 4];
      if (at + size > length) {
        target[units++] = 0x3f;
        break;
      }
      at += size;
      uint32_t low[4];
      for (size_t i = 1; i < size; i++) low[i] = p[i] % 64;
      if (size == 1) target[units++] = p[0];
      if (size == 2) target[units++] = p[0] % 32 * 64 + low[1];
      if (size == 3) target[units++] = p[0] % 16 * 4096 + low[1] * 64 + low[2];
      if (size == 4) {
        uint32_t value = p[0] % 16 * 262144 + low[1] * 4096 + low[2] * 64 + low[3] - 0x10000;
        target[units++] = 0xd800 + value / 1024 % 1024;
        target[units++] = 0xdc00 + value % 1024;
      }
    }
    write_frame(answer.bytes, 2 * units);
  }
  return 0;
}
