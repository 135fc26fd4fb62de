/* A Java virtual machine in this process, made by the invocation API. */
#include <dlfcn.h>
#include <jni.h>

typedef jint (*create_function)(JavaVM **, void **, void *);

/* Starts the machine of a library with some options of the command line. */
static JNIEnv *start_machine(const char *library, int count, char **options) {
  void *loaded = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
  if (!loaded) fail(dlerror());
  create_function create = (create_function)dlsym(loaded, "JNI_CreateJavaVM");
  if (!create) fail(dlerror());
  JavaVMOption list[16];
  if (count > 16) fail("too many options");
  for (int i = 0; i < count; i++) list[i] = (JavaVMOption){options[i], NULL};
  JavaVMInitArgs arguments = {JNI_VERSION_10, count, list, JNI_FALSE};
  JavaVM *machine;
  JNIEnv *env;
  if (create(&machine, (void **)&env, &arguments) != JNI_OK) fail("JNI_CreateJavaVM failed");
  return env;
}
