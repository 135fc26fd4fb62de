import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Copies a CESU-8 file to a UTF-8 file, as a careful Java program would: java Copy IN OUT */
class Copy {
  public static void main(String[] args) throws Exception {
    var decoder = Charset.forName("CESU-8").newDecoder()
        .onMalformedInput(CodingErrorAction.REPORT)
        .onUnmappableCharacter(CodingErrorAction.REPORT);
    try (var in = new InputStreamReader(Files.newInputStream(Path.of(args[0])), decoder);
        var out = new OutputStreamWriter(
            Files.newOutputStream(Path.of(args[1])), StandardCharsets.UTF_8)) {
      char[] buffer = new char[1 << 16];
      for (int n; (n = in.read(buffer)) >= 0; ) out.write(buffer, 0, n);
    }
  }
}
