import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** The JDK's charsets as a reader: Reader replace|report [--lines]. ../README.md has the protocol. */
final class Reader {
  /** The text as UTF-8, or null. */
  private static byte[] read(byte[] bytes, String mode) {
    try {
      String text =
          mode.equals("report")
              ? StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString()
              : new String(bytes, StandardCharsets.UTF_8);
      return text.getBytes(StandardCharsets.UTF_8);
    } catch (CharacterCodingException error) {
      return null;
    }
  }

  public static void main(String[] args) throws IOException {
    PrintStream out = new PrintStream(System.out, true);
    if (args.length > 1) {
      BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
      for (String line; (line = lines.readLine()) != null; ) {
        byte[] text = read(HexFormat.of().parseHex(line), args[0]);
        out.println(text == null ? "-" : HexFormat.of().formatHex(text));
      }
      return;
    }
    byte[] text = read(System.in.readAllBytes(), args[0]);
    if (text == null) System.exit(1);
    out.write(text, 0, text.length);
    out.flush();
  }
}
