// Compares the JDK's UTF-8 and CESU-8 with the vectors, without a JSON parser: java Run.java FOLDER
// FOLDER contains index.tsv and the .bin files. Exits with 1 if a text, the offset of a first fault, or a
// number of U+FFFD differs.
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

class Run {
    // The JDK's CESU-8 decodes lone surrogates, which the variant `cesu-8` refuses.
    static final Map<String, Charset> CHARSETS =
        Map.of("utf-8", Charset.forName("UTF-8"), "cesu-8-lenient", Charset.forName("CESU-8"));
    static int checks, failures;

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        for (String line : Files.readAllLines(folder.resolve("index.tsv"))) {
            // id variant result offset length reason incomplete maximal-subparts java per-byte text
            String[] column = line.split("\t");
            if (line.startsWith("#") || !CHARSETS.containsKey(column[1])) {
                continue;
            }
            Charset charset = CHARSETS.get(column[1]);
            byte[] bytes = Files.readAllBytes(folder.resolve(column[0] + ".bin"));
            String expected = column[2].equals("accept") ? column[10] : "fault at " + column[3];
            check(column, "strict", decode(charset, bytes), expected);
            // Malformed vectors contain no encoded U+FFFD, so the decoder wrote all of them.
            if (column[2].equals("reject")) {
                IntStream codeUnits = charset.decode(ByteBuffer.wrap(bytes)).chars();
                check(column, "replaced", "" + codeUnits.filter(value -> value == 0xFFFD).count(), column[8]);
            }
        }
        System.out.printf("JDK %s: %d checks, %d failures%n", Runtime.version(), checks, failures);
        System.exit(failures > 0 ? 1 : 0);
    }

    static String decode(Charset charset, byte[] input) {
        ByteBuffer bytes = ByteBuffer.wrap(input);
        CharBuffer chars = CharBuffer.allocate(input.length);
        if (charset.newDecoder().decode(bytes, chars, true).isError()) {
            return "fault at " + bytes.position();
        }
        String text = chars.flip().toString();
        var values = charset.name().equals("UTF-8") ? text.codePoints() : text.chars();
        return text.isEmpty() ? "-" : values.mapToObj(v -> String.format("%04X", v)).collect(Collectors.joining(" "));
    }

    static void check(String[] column, String what, String actual, String expected) {
        checks++;
        if (!actual.equals(expected)) {
            failures++;
            System.out.printf("%s %s: %s: %s, not %s%n", column[0], column[1], what, actual, expected);
        }
    }
}
