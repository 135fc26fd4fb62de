// Reads class files with other programs: the strings with DataInputStream of the JDK, and their kinds with ASM. It
// writes one line for each file and kind of string, with TABs:
//
//   <path> TAB <kind> TAB <SHA-256>
//
// The kind `pool` has the strings in their order, the others have theirs sorted by code units and each once.
// The digest covers the code units of each string, two bytes each, after a length of four bytes.
//
//   java Oracle FOLDER          every .class file below the folder
//   java Oracle FILE KIND       the strings themselves, one a line, to look for a difference

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

class Oracle {
    public static void main(String[] arguments) throws Exception {
        Path place = Path.of(arguments[0]);
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        if (Files.isRegularFile(place)) {
            for (String text : read(Files.readAllBytes(place)).get(arguments[1])) {
                out.println(text);
            }
            out.flush();
            return;
        }
        List<Path> files;
        try (Stream<Path> all = Files.walk(place)) {
            files = all.filter(file -> file.toString().endsWith(".class")).sorted().toList();
        }
        for (Path file : files) {
            for (Map.Entry<String, Collection<String>> entry : read(Files.readAllBytes(file)).entrySet()) {
                out.println(place.relativize(file) + "\t" + entry.getKey() + "\t" + digest(entry.getValue()));
            }
        }
        out.flush();
    }

    private static Map<String, Collection<String>> read(byte[] file) throws IOException {
        Map<String, Collection<String>> strings = new TreeMap<>();
        strings.put("pool", readPool(file));
        strings.putAll(new Asm().read(file));
        return strings;
    }

    /** @see The Java Virtual Machine Specification, section 4.4 */
    private static List<String> readPool(byte[] file) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(file));
        in.skipNBytes(8);
        List<String> strings = new ArrayList<>();
        int count = in.readUnsignedShort();
        for (int index = 1; index < count; index++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> strings.add(in.readUTF());
                case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
                case 15 -> in.skipNBytes(3);
                case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipNBytes(4);
                case 5, 6 -> {
                    in.skipNBytes(8);
                    index++;
                }
                default -> throw new IOException("tag " + tag);
            }
        }
        return strings;
    }

    private static String digest(Collection<String> strings) throws NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (String text : strings) {
            ByteBuffer bytes = ByteBuffer.allocate(4 + 2 * text.length()).putInt(text.length());
            for (int i = 0; i < text.length(); i++) {
                bytes.putChar(text.charAt(i));
            }
            digest.update(bytes.array());
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
