// Checks that classes with other strings equal the classes that ASM makes of the original ones:
//
//   java Rewrite MODE ORIGINALS RESULTS < PATHS     for each path in both folders: <path> TAB <answer>
//   java Rewrite MODE ORIGINAL RESULT [KEPT]        the lines in which the two are different, as Textifier prints them
//
// A path may be followed by another TAB, and the hashes of uses that stay unchanged, separated by commas.
// The answer is `same`, `different`, or why there is none. Both classes are written by ASM and are the same where
// the bytes are: what ASM writes depends on nothing but what the class means.
//
// The mode selects the replaced uses: those of the kinds that it names, with commas between them; or with `some`, those
// with an odd hash. See src/rewrite.ts, which has the same rules.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.util.TraceClassVisitor;

class Rewrite extends AsmWalk {
    private static final int LONGEST = 20_000;

    private final Set<String> kinds;
    private final Set<String> kept;

    private Rewrite(String mode, String kept) {
        this.kinds = mode.equals("some") ? null : Set.of(mode.split(","));
        this.kept = Set.of(kept.split(","));
    }

    public static void main(String[] arguments) throws IOException {
        Path original = Path.of(arguments[1]);
        Path result = Path.of(arguments[2]);
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        if (Files.isRegularFile(original)) {
            String kept = arguments.length > 3 ? arguments[3] : "";
            List<String> expected = print(new Rewrite(arguments[0], kept).rewrite(original));
            List<String> actual = print(read(result));
            for (int i = 0; i < Math.max(expected.size(), actual.size()); i++) {
                String theirs = i < expected.size() ? expected.get(i) : "";
                String ours = i < actual.size() ? actual.get(i) : "";
                if (!theirs.equals(ours)) {
                    out.println((i + 1) + ": theirs: " + theirs.strip());
                    out.println((i + 1) + ": ours:   " + ours.strip());
                }
            }
        } else {
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] fields = line.split("\t", -1);
                Rewrite rewrite = new Rewrite(arguments[0], fields.length > 1 ? fields[1] : "");
                out.println(fields[0] + "\t" + rewrite.compare(original.resolve(fields[0]), result.resolve(fields[0])));
            }
        }
        out.flush();
    }

    private String compare(Path original, Path result) throws IOException {
        try {
            return Arrays.equals(write(rewrite(original)), write(read(result))) ? "same" : "different";
        } catch (RuntimeException refused) {
            return "refused: " + refused.toString().replaceAll("\\s", " ");
        }
    }

    private ClassNode rewrite(Path original) throws IOException {
        ClassNode node = read(original);
        walk(node);
        return node;
    }

    private static ClassNode read(Path file) throws IOException {
        ClassNode node = new ClassNode();
        new ClassReader(Files.readAllBytes(file)).accept(node, 0);
        return node;
    }

    private static byte[] write(ClassNode node) {
        ClassWriter writer = new ClassWriter(0);
        node.accept(writer);
        return writer.toByteArray();
    }

    private static List<String> print(ClassNode node) {
        StringWriter text = new StringWriter();
        node.accept(new TraceClassVisitor(new PrintWriter(text)));
        return text.toString().lines().toList();
    }

    @Override
    void declared(String member, String name, String descriptor) {}

    @Override
    String code(String member, String kind, int line, String text) {
        return replace(text, member, kind, line < 0 ? "" : Integer.toString(line), "", "", "", "");
    }

    @Override
    String annotation(String member, String kind, String type, String path, String text) {
        return replace(text, member, kind, "", type, path, "", "");
    }

    @Override
    String argument(String kind, String method, int argument, String caller, String text) {
        return replace(text, "", kind, "", "", "", method, Integer.toString(argument));
    }

    private String replace(String text, String member, String kind, String... others) {
        String hash = Integer.toUnsignedString(hash(member, kind, String.join("\t", others), text));
        boolean isWanted = kinds == null ? (hash.charAt(hash.length() - 1) & 1) == 1 : kinds.contains(kind);
        return isWanted && text.length() <= LONGEST && !kept.contains(hash) ? text + "\u20ac" : text;
    }

    /** FNV-1a, of code units. */
    private static int hash(String... fields) {
        int hash = 0x811c9dc5;
        for (char unit : String.join("\t", fields).toCharArray()) {
            hash = (hash ^ unit) * 0x01000193;
        }
        return hash;
    }
}
