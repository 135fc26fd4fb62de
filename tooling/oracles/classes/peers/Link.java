// Checks that a JVM links rewritten classes like the original ones:
//
//   java -Xverify:all Link REWRITTEN ORIGINALS ARCHIVE...
//
// Each class in the folder is defined and linked, which verifies it, among the other classes of the archives. There
// is a line for each class of which something else comes than of the original, and a last one of how many there are.

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;

class Link {
    /** Defines classes from memory. */
    private static class Loader extends ClassLoader {
        private final Map<String, byte[]> classes;

        Loader(Map<String, byte[]> classes) {
            super(ClassLoader.getPlatformClassLoader());
            this.classes = classes;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = classes.get(name);
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    public static void main(String[] arguments) throws IOException {
        Map<String, byte[]> originals = new HashMap<>();
        for (int i = 2; i < arguments.length; i++) {
            Unpack.read(Path.of(arguments[i]), (path, bytes) -> originals.putIfAbsent(name(bytes), bytes));
        }
        Map<String, byte[]> rewritten = read(Path.of(arguments[0]));
        // Of several classes of one name, the one that was rewritten.
        originals.putAll(read(Path.of(arguments[1])));
        List<String> names = rewritten.keySet().stream().sorted().toList();
        Map<String, byte[]> mixed = new HashMap<>(originals);
        mixed.putAll(rewritten);
        Loader before = new Loader(originals);
        Loader after = new Loader(mixed);
        int linked = 0;
        for (String name : names) {
            String expected = link(before, name);
            String actual = link(after, name);
            if (!actual.equals(expected)) {
                System.out.println(name + ": " + actual + ", and before: " + expected);
            }
            if (actual.equals("linked")) {
                linked++;
            }
        }
        System.out.println(linked + " of " + names.size());
    }

    /** The classes below a folder by name; of several of one name the first. */
    private static Map<String, byte[]> read(Path folder) throws IOException {
        Map<String, byte[]> classes = new HashMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile).sorted()::iterator) {
                byte[] bytes = Files.readAllBytes(file);
                classes.putIfAbsent(name(bytes), bytes);
            }
        }
        return classes;
    }

    private static String name(byte[] bytes) {
        return new ClassReader(bytes).getClassName().replace('/', '.');
    }

    /** Returns the result of linking a class: `linked` on success. */
    private static String link(Loader loader, String name) {
        try {
            // This links the class, and resolves the types of its fields.
            Class.forName(name, false, loader).getDeclaredFields();
            return "linked";
        } catch (ClassNotFoundException | LinkageError | RuntimeException error) {
            // Without the identities of loaders and modules.
            return error.toString().replaceAll("@[0-9a-fx]+", "");
        }
    }
}
