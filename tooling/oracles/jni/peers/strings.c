/*
 * The functions of JNI that make strings of bytes, and bytes of strings.
 *
 *   strings LIBRARY OPERATION [OPTION…] <requests >answers
 *
 * Code units are in the order of the machine, two bytes each.
 */
#include "frame.h"
#include "machine.h"

#include <string.h>

static struct frame request, answer;

static void check(JNIEnv *env) {
  if (!(*env)->ExceptionCheck(env)) return;
  (*env)->ExceptionDescribe(env);
  fail("there was an exception");
}

/* Bytes -> the code units that NewStringUTF makes of them. */
static void new_string_utf(JNIEnv *env) {
  jstring string = (*env)->NewStringUTF(env, (const char *)request.bytes);
  check(env);
  jsize length = (*env)->GetStringLength(env, string);
  reserve(&answer, 2 * (size_t)length);
  (*env)->GetStringRegion(env, string, 0, length, (jchar *)answer.bytes);
  write_frame(answer.bytes, 2 * length);
  (*env)->DeleteLocalRef(env, string);
}

static jstring read_string(JNIEnv *env, size_t from) {
  const jchar *units = (const jchar *)(request.bytes + from);
  jstring string = (*env)->NewString(env, units, (request.length - from) / 2);
  check(env);
  return string;
}

/* Code units -> GetStringUTFLength (4 bytes), and so many bytes of GetStringUTFChars and the one after them. */
static void get_string_utf_chars(JNIEnv *env) {
  jstring string = read_string(env, 0);
  jsize length = (*env)->GetStringUTFLength(env, string);
  const char *chars = (*env)->GetStringUTFChars(env, string, NULL);
  if (!chars) fail("GetStringUTFChars failed");
  reserve(&answer, length + 5);
  memcpy(answer.bytes, &length, 4);
  memcpy(answer.bytes + 4, chars, (size_t)length + 1);
  write_frame(answer.bytes, length + 5);
  (*env)->ReleaseStringUTFChars(env, string, chars);
  (*env)->DeleteLocalRef(env, string);
}

#define UNTOUCHED 0x7e

/*
 * Start and count (4 bytes each), and code units -> what GetStringUTFRegion writes, and four bytes after it; or
 * nothing if there is an exception. The target is full of UNTOUCHED first, so that what is not written shows.
 */
static void get_string_utf_region(JNIEnv *env) {
  int32_t start, count;
  memcpy(&start, request.bytes, 4);
  memcpy(&count, request.bytes + 4, 4);
  jstring string = read_string(env, 8);
  size_t room = count < 0 ? 0 : 3 * (size_t)count;
  reserve(&answer, room + 4);
  memset(answer.bytes, UNTOUCHED, room + 4);
  (*env)->GetStringUTFRegion(env, string, start, count, (char *)answer.bytes);
  if ((*env)->ExceptionCheck(env)) {
    (*env)->ExceptionClear(env);
    write_frame("", 0);
  } else {
    write_frame(answer.bytes, room + 4);
  }
  (*env)->DeleteLocalRef(env, string);
}

/* A count (4 bytes) and a code unit -> GetStringUTFLength, and GetStringUTFLengthAsLong where there is one. */
static void measure(JNIEnv *env) {
  int32_t count;
  memcpy(&count, request.bytes, 4);
  jstring unit = read_string(env, 4);
  jclass class = (*env)->GetObjectClass(env, unit);
  jmethodID repeat = (*env)->GetMethodID(env, class, "repeat", "(I)Ljava/lang/String;");
  jstring string = (*env)->CallObjectMethod(env, unit, repeat, (jint)count);
  check(env);
  int32_t length = (*env)->GetStringUTFLength(env, string);
  write_frame(&length, 4);
#ifdef JNI_VERSION_24
  int64_t whole = (*env)->GetStringUTFLengthAsLong(env, string);
  write_frame(&whole, 8);
#endif
}

static const struct {
  const char *name;
  void (*run)(JNIEnv *);
} operations[] = {
    {"NewStringUTF", new_string_utf},
    {"GetStringUTFChars", get_string_utf_chars},
    {"GetStringUTFRegion", get_string_utf_region},
    {"GetStringUTFLength", measure},
};

int main(int count, char **words) {
  if (count < 3) fail("usage: strings LIBRARY OPERATION [OPTION…]");
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
    if (strcmp(operations[i].name, words[2]) != 0) continue;
    JNIEnv *env = start_machine(words[1], count - 3, words + 3);
    while (read_frame(&request)) operations[i].run(env);
    if (fflush(stdout) != 0) fail("stdout failed");
    return 0;
  }
  fail("no such operation");
}
