import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The JVM: java Peers.java OPERATION FROM [TO]. See ../README.md for the protocol. */
class Peers {
  interface Once {
    Object call(Object input) throws IOException;
  }

  /** Holds the last result, so that no compiler drops the call. */
  static Object kept;

  public static void main(String[] words) throws IOException {
    var operation = words[0];
    var from = Charset.forName(words[1].equals("mutf-8") ? "utf-8" : words[1]);
    var to = Charset.forName(words.length > 2 ? words[2] : "utf-8");
    Once once = switch (operation) {
      case "decode" -> input -> new String((byte[]) input, from);
      case "encode" -> input -> ((String) input).getBytes(from);
      case "transcode" -> input -> new String((byte[]) input, from).getBytes(to);
      case "readUTF" -> input -> readUTF((byte[]) input);
      case "writeUTF" -> input -> writeUTF((String) input);
      default -> throw new IllegalArgumentException("no such operation: " + operation);
    };
    serve(operation.equals("encode") || operation.equals("writeUTF"), once);
  }

  static String readUTF(byte[] frame) throws IOException {
    return new DataInputStream(new ByteArrayInputStream(frame)).readUTF();
  }

  static byte[] writeUTF(String text) throws IOException {
    var bytes = new ByteArrayOutputStream(text.length() + 2);
    new DataOutputStream(bytes).writeUTF(text);
    return bytes.toByteArray();
  }

  /** Answers commands until stdin ends. */
  static void serve(boolean takesText, Once once) throws IOException {
    var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    List<Object> inputs = List.of();
    int next = 0;
    System.out.println("ready " + System.getProperty("java.vm.version"));
    for (String line; (line = commands.readLine()) != null; ) {
      var command = line.split(" ", 2);
      switch (command[0]) {
        case "load" -> {
          inputs = read(Path.of(command[1]), takesText);
          next = 0;
          System.out.println("loaded " + inputs.size());
        }
        case "check" -> System.out.println(check(inputs, once));
        case "time" -> {
          long calls = Long.parseLong(command[1]);
          long start = System.nanoTime();
          next = repeat(inputs.toArray(), next, calls, once);
          System.out.println("took " + (System.nanoTime() - start));
        }
        default -> throw new IllegalArgumentException("unknown command " + line);
      }
    }
  }

  static int repeat(Object[] inputs, int next, long calls, Once once) throws IOException {
    for (long i = 0; i < calls; i++) {
      if (next == inputs.length) next = 0;
      kept = once.call(inputs[next++]);
    }
    return next;
  }

  /** A file is its records, each after its length: four bytes, little-endian. */
  static List<Object> read(Path path, boolean takesText) throws IOException {
    var file = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
    var list = new ArrayList<Object>();
    while (file.hasRemaining()) {
      var record = new byte[file.getInt()];
      file.get(record);
      list.add(takesText ? new String(record, StandardCharsets.UTF_8) : record);
    }
    return list;
  }

  /** The length of all outputs together, and their FNV-1a. */
  static String check(List<Object> inputs, Once once) {
    long length = 0;
    int hash = 0x811c9dc5;
    for (int i = 0; i < inputs.size(); i++) {
      byte[] bytes;
      try {
        var output = once.call(inputs.get(i));
        bytes = output instanceof String text
            ? text.getBytes(StandardCharsets.UTF_16LE)
            : (byte[]) output;
      } catch (IOException error) {
        return "refuses " + i;
      }
      length += bytes.length;
      for (byte value : bytes) hash = (hash ^ (value & 0xff)) * 0x01000193;
    }
    return "gives " + length + " " + String.format("%08x", hash);
  }
}
