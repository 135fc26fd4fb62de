// Unpacks the classes of an archive and of the archives in it, by their first bytes, not by their names:
//
//   java Unpack ARCHIVE FOLDER
//
// The content of an archive a/b.jar goes to a/b.jar!/. Of classes with one path, the first counts.

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

class Unpack {
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[1]);
        read(Path.of(arguments[0]), (path, bytes) -> write(folder.resolve(path), bytes));
    }

    /** Goes through the classes of an archive: their paths and their bytes. */
    static void read(Path archive, BiConsumer<String, byte[]> take) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(archive))) {
            read(in, "", take);
        }
    }

    private static void read(InputStream in, String parent, BiConsumer<String, byte[]> take) throws IOException {
        ZipInputStream zip = new ZipInputStream(in);
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
            byte[] bytes = zip.readAllBytes();
            String path = parent + entry.getName();
            if (isClass(bytes)) {
                take.accept(path, bytes);
            } else if (bytes.length > 4 && ByteBuffer.wrap(bytes).getInt() == ('P' << 24 | 'K' << 16 | 3 << 8 | 4)) {
                read(new ByteArrayInputStream(bytes), path + "!/", take);
            }
        }
    }

    /** Programs for macOS begin like classes, with a small number instead of the version. */
    private static boolean isClass(byte[] bytes) {
        ByteBuffer head = ByteBuffer.wrap(bytes);
        return bytes.length >= 8 && head.getInt() == 0xcafebabe && head.getShort(6) >= 45;
    }

    private static void write(Path file, byte[] bytes) {
        try {
            Files.createDirectories(file.getParent());
            if (!Files.exists(file)) {
                Files.write(file, bytes);
            }
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
