// A program that holds strings, as a peer: it writes texts and reads them, one line for each. The
// protocol is that of tooling/oracles/interop.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

final class Peer {
    private static final HexFormat HEX = HexFormat.of();

    /** Writes a text in a frame of its own. */
    interface Writer {
        byte[] write(String text) throws Exception;
    }

    /** Reads a frame that other bytes may follow. */
    interface Reader {
        Frame read(byte[] bytes) throws Exception;
    }

    /** A text, and how many bytes were read. */
    record Frame(String text, long next) {}

    private interface Operation {
        String answer(byte[] input) throws Exception;
    }

    private final Map<String, Operation> operations = new HashMap<>();

    Peer(String about) {
        operations.put("about", input -> "ok " + about);
    }

    /** Adds the operations <code>name.write</code> and <code>name.read</code>. */
    Peer add(String name, Writer writer, Reader reader) {
        operations.put(name + ".write", input -> "ok " + HEX.formatHex(writer.write(text(input))));
        operations.put(name + ".read", input -> {
            Frame frame = reader.read(input);
            return "ok " + units(frame.text) + " " + frame.next;
        });
        return this;
    }

    void serve() throws IOException {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.ISO_8859_1);
        // Output that a library prints must not mix with the answers.
        System.setOut(System.err);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.ISO_8859_1));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.isEmpty()) {
                out.flush();
            } else {
                out.print(answer(line) + "\n");
            }
        }
        out.flush();
    }

    private String answer(String line) {
        int space = line.indexOf(' ');
        Operation operation = operations.get(line.substring(0, space));
        if (operation == null) {
            return "unknown " + line.substring(0, space);
        }
        try {
            return operation.answer(HEX.parseHex(line, space + 1, line.length()));
        } catch (Exception | StackOverflowError | OutOfMemoryError error) {
            return "fault - " + error.toString().replaceAll("[^ -~]", "?");
        }
    }

    /** The text of UTF-16BE, lone surrogates included. */
    private static String text(byte[] input) {
        char[] units = new char[input.length / 2];
        ByteBuffer.wrap(input).asCharBuffer().get(units);
        return new String(units);
    }

    private static String units(String text) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * text.length());
        bytes.asCharBuffer().put(text.toCharArray());
        return HEX.formatHex(bytes.array());
    }
}
