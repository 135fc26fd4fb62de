// Makes packages/cli/sample/customers.csv: java tooling/oracles/sample/MakeSample.java packages/cli/sample/customers.csv
//
// The export of a database whose character set is Oracle's UTF8, which is CESU-8. Rows that came in
// through the web application were converted, so their supplementary characters are pairs of six bytes;
// rows that came in through the nightly batch were stored as they were, in the four-byte forms of UTF-8.
// Both encodings are the JDK's own, so that no converter of this repository judges its own work.
//
// Nothing here depends on the clock, the locale or chance. Text is ASCII with {hex} for the rest, since
// the JDK reads its sources in the default encoding of the machine.

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class MakeSample {
    private static final int ROWS = 400;
    private static final Charset CESU_8 = Charset.forName("CESU-8");

    // The lists have lengths without a common factor, so that many combinations come up.
    private static final String[] NAMES = {
        "Alice Moore",
        "J{FC}rgen Gro{DF}mann",
        "{C548}{B155}{D558}",                    // Hangul, whose bytes begin with EC, EB and ED
        "{20BB7}{91CE}{5BB6}",                   // CJK extension B, then two of the first plane
        "{418}{432}{430}{43D} {41F}{435}{442}{440}{43E}{432}",
        "Mar{ED}a Nu{F1}ez",
        "{D669}{C900}{D76C}",                    // Hangul that begins with ED
        "Bob {1F600}",
        "Zoe{308} Noe{308}l",                    // combining diaeresis
        "{2000B}{7530} {592A}{90CE}",            // CJK extension B
        "Peter O'Neill",
        "{10D}e{161}ka {17D}i{17E}ka",
        "{90A3}{8986}",
    };

    private static final String[] CITIES = {
        "London", "Z{FC}rich", "{C11C}{C6B8}", "{6771}{4EAC}", "{41C}{43E}{441}{43A}{432}{430}",
        "S{E3}o Paulo", "{5409}{91CE}{5BB6}{2A6D6}", "New York", "{BD80}{C0B0}", "Krako{301}w", "Oslo",
    };

    private static final String[] NOTES = {
        "",
        "pays on time",
        "{1F468}{200D}{1F469}{200D}{1F467} family plan",   // emoji joined by U+200D
        "prefers calls, not mail",
        "said \"thank you\" {1F64F}{1F3FD}",               // emoji with a skin tone
        "ship to {1F1E9}{1F1EA}{1F1EB}{1F1F7}",            // flags: pairs of regional indicators
        "logo is {E000}{E0FF}{F8FF}",                      // private use
        "first line\nsecond line {1F4E6}",
        "glyphs {F0000}{F1234} and {10FFFD}",              // private use, planes 15 and 16
        "a{301}{323} b{30A} {1D11E} in the margin",        // combining marks; a musical symbol
        "discount 5 %",
        "{AC00}{D7A3} {D4C1}",                             // first and last Hangul syllable
        "Tel. {260E} 030 {2013} 12",
        "{1F44D}",
        "{FF5E}{FFFD} once lost",                          // U+FFFD that is in the data itself
        "two\n\"quoted\", lines\nand {1F3F3}{FE0F}{200D}{1F308}",
        "old account",
    };

    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 1) {
            System.err.println("usage: java MakeSample.java OUT");
            System.exit(2);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(encode("id,name,city,note,writer,balance\n", CESU_8));
        for (int row = 1; row <= ROWS; row++) {
            boolean isBatch = row % 5 == 0 || row % 7 == 3;
            bytes.write(encode(line(row, isBatch ? "batch" : "web"), isBatch ? StandardCharsets.UTF_8 : CESU_8));
        }
        Files.write(Path.of(arguments[0]), bytes.toByteArray());
    }

    private static String line(int row, String writer) {
        String name = NAMES[row % NAMES.length];
        String city = CITIES[row % CITIES.length];
        String note = NOTES[row % NOTES.length];
        long cents = (row * 7919L) % 1000003;
        String balance = String.format(Locale.ROOT, "%d.%02d", cents / 100, cents % 100);
        return String.join(",", String.valueOf(1000 + row), field(name), field(city), field(note), writer, balance) + "\n";
    }

    /** A field as RFC 4180 writes it. */
    private static String field(String template) {
        String text = expand(template);
        boolean needsQuotes = text.contains(",") || text.contains("\"") || text.contains("\n");
        return needsQuotes ? "\"" + text.replace("\"", "\"\"") + "\"" : text;
    }

    private static final Pattern CODE_POINT = Pattern.compile("\\{([0-9A-F]+)\\}");

    private static String expand(String template) {
        Matcher matcher = CODE_POINT.matcher(template);
        return matcher.replaceAll(match ->
            Matcher.quoteReplacement(Character.toString(Integer.parseInt(match.group(1), 16))));
    }

    /** Encodes with an exception, and no question mark, for what the charset does not have. */
    private static byte[] encode(String text, Charset charset) throws IOException {
        ByteBuffer buffer = charset.newEncoder().encode(CharBuffer.wrap(text));
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }
}
