import java.io.BufferedOutputStream;
import java.io.PrintStream;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import jdk.internal.org.objectweb.asm.ClassReader;

/** Lists the string constants of a jar, with the copy of ASM in the JDK: java Strings JAR */
class Strings {
  static final int STRING = 8;

  public static void main(String[] args) throws Exception {
    try (var jar = new JarFile(args[0]);
        var out = new PrintStream(new BufferedOutputStream(System.out, 1 << 16), false, "UTF-8")) {
      for (var entry : (Iterable<JarEntry>) jar.stream()::iterator) {
        if (!entry.getName().endsWith(".class")) continue;
        ClassReader reader;
        try (var in = jar.getInputStream(entry)) {
          reader = new ClassReader(in);
        }
        char[] buffer = new char[reader.getMaxStringLength()];
        for (int i = 1; i < reader.getItemCount(); i++) {
          int item = reader.getItem(i);
          if (item == 0 || reader.readByte(item - 1) != STRING) continue;
          String text = reader.readUTF8(item, buffer);
          int index = reader.readUnsignedShort(item); // of the text, as utf8 prints it
          out.println(args[0] + "!/" + entry.getName() + "#" + index + "@\t\t"
              + text.replace("\\", "\\\\").replace("\n", "\\n"));
        }
      }
    }
  }
}
