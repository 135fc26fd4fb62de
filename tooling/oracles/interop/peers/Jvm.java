// The JVM as a peer: its charsets, DataInput and DataOutput, and HotSpot's class loader. The protocol
// is described in ../README.md.

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UTFDataFormatException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

class Jvm {
    private static final HexFormat HEX = HexFormat.of();

    /** Answers one input with one line. */
    private interface Operation {
        String answer(byte[] input) throws IOException;
    }

    private static final Map<String, Operation> OPERATIONS = new HashMap<>();

    static {
        Charset cesu8 = Charset.forName("CESU-8");
        for (Map.Entry<String, Charset> entry : Map.of("utf8", StandardCharsets.UTF_8, "cesu8", cesu8).entrySet()) {
            String name = entry.getKey();
            Charset charset = entry.getValue();
            CharsetDecoder strict = charset.newDecoder();
            CharsetDecoder lossy = charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
            CharsetEncoder encoder = charset.newEncoder();
            OPERATIONS.put(name + ".decode", input -> decode(strict, input));
            OPERATIONS.put(name + ".replace", input -> decode(lossy, input));
            // The constructor has loops of its own, which need not agree with those of CharsetDecoder.
            OPERATIONS.put(name + ".string", input -> ok(new String(input, charset)));
            OPERATIONS.put(name + ".encode", input -> encode(encoder, input));
        }
        OPERATIONS.put("readUTF", Jvm::readUTF);
        OPERATIONS.put("writeUTF", Jvm::writeUTF);
        OPERATIONS.put("readFrame", Jvm::readFrame);
        OPERATIONS.put("writeFrame", Jvm::writeFrame);
        OPERATIONS.put("class61", input -> defineClass(61, input));
        OPERATIONS.put("class48", input -> defineClass(48, input));
        OPERATIONS.put("class47", input -> defineClass(47, input));
        OPERATIONS.put("define", Jvm::define);
        OPERATIONS.put("call", Jvm::call);
        OPERATIONS.put("about", input -> "ok " + System.getProperty("java.vm.name") + " " + Runtime.version());
    }

    public static void main(String[] arguments) throws Exception {
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        ByteArrayOutputStream answers = new ByteArrayOutputStream(1 << 16);
        Lines lines = new Lines(System.in);
        for (String line = lines.next(); line != null; line = lines.next()) {
            if (!line.isEmpty()) {
                answers.write(answer(line).getBytes(StandardCharsets.ISO_8859_1));
                answers.write('\n');
            }
            if (line.isEmpty() || answers.size() > 1 << 16) {
                answers.writeTo(out);
                answers.reset();
            }
        }
        answers.writeTo(out);
    }

    private static String answer(String line) throws IOException, NoSuchAlgorithmException {
        int space = line.indexOf(' ');
        String name = line.substring(0, space);
        byte[] input = HEX.parseHex(line, space + 1, line.length());
        boolean isSpan = name.endsWith("*");
        Operation operation = OPERATIONS.get(isSpan ? name.substring(0, name.length() - 1) : name);
        if (operation == null) {
            return "unknown " + name;
        }
        return isSpan ? span(operation, input) : operation.answer(input);
    }

    /** Digests the answers to the input followed by each of the 256 bytes, every fault being alike. */
    private static String span(Operation operation, byte[] prefix) throws IOException, NoSuchAlgorithmException {
        byte[] input = Arrays.copyOf(prefix, prefix.length + 1);
        StringBuilder answers = new StringBuilder(1 << 12);
        for (int last = 0; last < 256; last++) {
            input[prefix.length] = (byte) last;
            String answer = operation.answer(input);
            answers.append(answer.startsWith("fault ") ? "fault" : answer).append('\n');
        }
        byte[] text = answers.toString().getBytes(StandardCharsets.ISO_8859_1);
        return "ok " + HEX.formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    }

    private static String decode(CharsetDecoder decoder, byte[] input) {
        ByteBuffer bytes = ByteBuffer.wrap(input);
        CharBuffer chars = CharBuffer.allocate(input.length + 1);
        CoderResult result = decoder.reset().decode(bytes, chars, true);
        if (result.isUnderflow()) {
            result = decoder.flush(chars);
        }
        return result.isError()
            ? "fault " + bytes.position() + " " + result.length()
            : ok(chars.flip().toString());
    }

    private static String encode(CharsetEncoder encoder, byte[] input) {
        CharBuffer chars = CharBuffer.wrap(text(input));
        ByteBuffer bytes = ByteBuffer.allocate(input.length * 3 + 1);
        CoderResult result = encoder.reset().encode(chars, bytes, true);
        if (result.isUnderflow()) {
            result = encoder.flush(bytes);
        }
        return result.isError()
            ? "fault " + chars.position() + " " + result.length()
            : "ok " + HEX.formatHex(bytes.array(), 0, bytes.position());
    }

    private static String readUTF(byte[] input) throws IOException {
        byte[] frame = new byte[input.length + 2];
        frame[0] = (byte) (input.length >> 8);
        frame[1] = (byte) input.length;
        System.arraycopy(input, 0, frame, 2, input.length);
        try {
            return ok(new DataInputStream(new ByteArrayInputStream(frame)).readUTF());
        } catch (UTFDataFormatException error) {
            return "fault - " + error.getMessage();
        }
    }

    private static String writeUTF(byte[] input) throws IOException {
        byte[] bytes = frame(input);
        return "ok " + HEX.formatHex(bytes, 2, bytes.length);
    }

    /** A length, a text, and more bytes: returns the text, and the number of bytes read. */
    private static String readFrame(byte[] input) throws IOException {
        ByteArrayInputStream bytes = new ByteArrayInputStream(input);
        try {
            String text = new DataInputStream(bytes).readUTF();
            return ok(text) + " " + (input.length - bytes.available());
        } catch (UTFDataFormatException error) {
            return "fault - " + error.getMessage();
        } catch (EOFException error) {
            return "cut";
        }
    }

    private static String writeFrame(byte[] input) throws IOException {
        try {
            return "ok " + HEX.formatHex(frame(input));
        } catch (UTFDataFormatException error) {
            return "long";
        }
    }

    private static byte[] frame(byte[] input) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        new DataOutputStream(frame).writeUTF(text(input));
        return frame.toByteArray();
    }

    /** Classes of one loader are freed together, so each loader gets a few. */
    private static class Loader extends ClassLoader {
        private static final int CLASSES = 200;
        int count;

        Class<?> define(String name, byte[] file) {
            return defineClass(name, file, 0, file.length);
        }
    }

    private static Loader loader = new Loader();

    /**
     * Defines a class that has the input as a constant, which HotSpot checks as it parses the file, and
     * reads the constant back: <code>public static final String V = the input;</code>
     */
    private static String defineClass(int version, byte[] input) throws IOException {
        if (loader.count == Loader.CLASSES) {
            loader = new Loader();
        }
        String name = "C" + loader.count++;
        try {
            return ok((String) loader.define(name, classFile(version, name, input)).getField("V").get(null));
        } catch (ClassFormatError error) {
            return "fault - " + error.getMessage();
        } catch (ReflectiveOperationException error) {
            throw new IOException(error);
        }
    }

    /** Defines a class, in a loader of its own: its name, or why HotSpot refuses it. */
    private static String define(byte[] input) {
        try {
            return ok(new Loader().define(null, input).getName());
        } catch (LinkageError | SecurityException error) {
            return refusal(error);
        }
    }

    /** Defines a class and calls its method <code>static String[] texts()</code>: the texts, with commas between. */
    private static String call(byte[] input) {
        try {
            Method method = new Loader().define(null, input).getDeclaredMethod("texts");
            method.setAccessible(true);
            StringBuilder line = new StringBuilder("ok");
            for (String text : (String[]) method.invoke(null)) {
                line.append(line.length() == 2 ? ' ' : ',').append(ok(text), 3, 3 + 4 * text.length());
            }
            return line.toString();
        } catch (InvocationTargetException error) {
            return refusal(error.getCause());
        } catch (LinkageError | ReflectiveOperationException error) {
            return refusal(error);
        }
    }

    /** A line that says why; names of classes may hold any character. */
    private static String refusal(Throwable error) {
        return "fault - " + error.toString().replaceAll("[^ -~]", "?");
    }

    /** @see The Java Virtual Machine Specification, section 4.1 */
    private static byte[] classFile(int version, String name, byte[] constant) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(file);
        out.writeInt(0xCAFEBABE);
        out.writeShort(0);
        out.writeShort(version);
        out.writeShort(10); // constants, and one
        out.writeByte(1); // 1: Utf8
        out.writeUTF(name);
        out.writeByte(7); // 2: Class
        out.writeShort(1);
        out.writeByte(1); // 3
        out.writeUTF("java/lang/Object");
        out.writeByte(7); // 4
        out.writeShort(3);
        out.writeByte(1); // 5
        out.writeUTF("V");
        out.writeByte(1); // 6
        out.writeUTF("Ljava/lang/String;");
        out.writeByte(1); // 7
        out.writeUTF("ConstantValue");
        out.writeByte(1); // 8: the input
        out.writeShort(constant.length);
        out.write(constant);
        out.writeByte(8); // 9: String
        out.writeShort(8);
        out.writeShort(0x0021); // public super
        out.writeShort(2); // this class
        out.writeShort(4); // its superclass
        out.writeShort(0); // interfaces
        out.writeShort(1); // fields
        out.writeShort(0x0019); // public static final
        out.writeShort(5);
        out.writeShort(6);
        out.writeShort(1); // attributes of the field
        out.writeShort(7);
        out.writeInt(2);
        out.writeShort(9);
        out.writeShort(0); // methods
        out.writeShort(0); // attributes of the class
        return file.toByteArray();
    }

    /** The text of UTF-16BE, lone surrogates included. */
    private static String text(byte[] input) {
        char[] units = new char[input.length / 2];
        ByteBuffer.wrap(input).asCharBuffer().get(units);
        return new String(units);
    }

    /** The code units of a text, four hexadecimal digits each. */
    private static String ok(String text) {
        StringBuilder line = new StringBuilder(3 + text.length() * 4).append("ok ");
        for (int i = 0; i < text.length(); i++) {
            HEX.toHexDigits(line, (byte) (text.charAt(i) >> 8));
            HEX.toHexDigits(line, (byte) text.charAt(i));
        }
        return line.toString();
    }

    /** Lines of ASCII. */
    private static class Lines {
        private final InputStream in;
        private final byte[] block = new byte[1 << 16];
        private int next;
        private int end;

        Lines(InputStream in) {
            this.in = in;
        }

        /** The next line, or null at the end of the input. */
        String next() throws IOException {
            StringBuilder line = new StringBuilder();
            while (true) {
                if (next == end) {
                    next = 0;
                    end = in.read(block);
                    if (end < 0) {
                        end = 0;
                        return null;
                    }
                }
                int start = next;
                while (next < end && block[next] != '\n') {
                    next++;
                }
                line.append(new String(block, start, next - start, StandardCharsets.ISO_8859_1));
                if (next < end) {
                    next++;
                    return line.toString();
                }
            }
        }
    }
}
