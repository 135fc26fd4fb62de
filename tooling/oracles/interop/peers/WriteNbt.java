import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HexFormat;

/**
 * Writes an NBT file as Minecraft does, with DataOutputStream: each text of the command line, which are
 * code units in hexadecimal digits, is the name of a string and the string; then all are in a list.
 */
final class WriteNbt {
  private static final int STRING = 8;
  private static final int LIST = 9;
  private static final int COMPOUND = 10;
  private static final int INT = 3;

  public static void main(String[] args) throws IOException {
    String[] texts = new String[args.length];
    for (int i = 0; i < args.length; i++) texts[i] = read(args[i]);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(COMPOUND);
    out.writeUTF(texts[0]);
    for (String text : texts) {
      out.writeByte(STRING);
      out.writeUTF(text);
      out.writeUTF(text);
    }
    out.writeByte(LIST);
    out.writeUTF("list");
    out.writeByte(STRING);
    out.writeInt(texts.length);
    for (String text : texts) out.writeUTF(text);
    out.writeByte(COMPOUND);
    out.writeUTF("compound");
    for (String text : texts) {
      out.writeByte(INT);
      out.writeUTF(text);
      out.writeInt(text.length());
    }
    out.writeByte(0);
    out.writeByte(0);
    System.out.println(HexFormat.of().formatHex(bytes.toByteArray()));
  }

  private static String read(String digits) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < digits.length(); i += 4) {
      text.append((char) Integer.parseInt(digits.substring(i, i + 4), 16));
    }
    return text.toString();
  }
}
