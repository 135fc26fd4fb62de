// Uses of strings in class files, by third-party code: ASM, or the JDK from version 24 on.
//
//   java Uses AsmUses FOLDER < PATHS    for each path below the folder: <path> TAB <SHA-256 of its lines>
//   java Uses AsmUses FILE              the lines themselves, to look for a difference
//
// There is one line for each use of a string, made of these fields with a TAB between them, sorted. Where a
// field has no value it is empty, and in a text, characters other than printable ASCII are escaped.
//
//   class  member  kind  line  annotation  path  bootstrap method  argument  callers  constant  text

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;

/** The uses of one class. */
final class Uses {
    /** Finds the uses of a class. */
    interface Finder {
        Uses find(byte[] file);
    }

    static final String RECIPE = "java/lang/invoke/StringConcatFactory.makeConcatWithConstants";
    private static final String TYPE_SWITCH = "java/lang/runtime/SwitchBootstraps.typeSwitch";
    private static final String ENUM_SWITCH = "java/lang/runtime/SwitchBootstraps.enumSwitch";
    private static final String RECORD = "java/lang/runtime/ObjectMethods.bootstrap";

    private final String className;
    private final List<String> lines = new ArrayList<>();

    Uses(String className) {
        this.className = className;
    }

    /** A use of which no more is to be told. */
    void add(String member, String kind, String text) {
        line(member, kind, "", "", "", "", "", "", "", text);
    }

    /** A use by a constant. */
    void addConstant(int constant, String kind, String text) {
        line("", kind, "", "", "", "", "", "", Integer.toString(constant), text);
    }

    /** A use by an instruction; the line is negative where it is not known. */
    void addCode(String member, String kind, int line, String text) {
        line(member, kind, line < 0 ? "" : Integer.toString(line), "", "", "", "", "", "", text);
    }

    void addAnnotation(String member, String kind, String type, String path, String text) {
        line(member, kind, "", type, path, "", "", "", "", text);
    }

    /** An argument of a bootstrap method. */
    void addArgument(String kind, String method, int argument, Iterable<String> callers, String text) {
        String joined = String.join(",", callers);
        line("", kind, "", "", "", method, Integer.toString(argument), joined, "", text);
    }

    /** Describes the caller of a bootstrap method. */
    static String caller(String member, int line) {
        return member + ":" + (line < 0 ? "" : line);
    }

    private void line(String... fields) {
        StringBuilder line = new StringBuilder(className.length() + 64);
        escape(className, line);
        for (String field : fields) {
            line.append('\t');
            escape(field, line);
        }
        lines.add(line.toString());
    }

    private static void escape(String text, StringBuilder out) {
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (unit >= ' ' && unit <= '~' && unit != '\\') {
                out.append(unit);
            } else {
                out.append("\\u").append(HexFormat.of().toHexDigits(unit));
            }
        }
    }

    /** A field, a method or a component. */
    static String member(String type, String name, String descriptor) {
        return type + " " + name + " " + descriptor;
    }

    /**
     * Returns the kind of an argument of a bootstrap method.
     *
     * @param isFirst whether no other argument before it is a string
     */
    static String argumentKind(String method, boolean isFirst) {
        return switch (method) {
            case RECIPE -> isFirst ? "recipe" : "bootstrap-argument";
            case TYPE_SWITCH, ENUM_SWITCH -> "switch-label";
            case RECORD -> "record-components";
            default -> "bootstrap-argument";
        };
    }

    /** Returns the kind of a string in an annotation. */
    static String annotationKind(String type) {
        return switch (type) {
            case "Lkotlin/Metadata;" -> "kotlin-metadata";
            case "Lscala/reflect/ScalaSignature;", "Lscala/reflect/ScalaLongSignature;" -> "scala-signature";
            default -> "annotation";
        };
    }

    private List<String> sorted() {
        Collections.sort(lines);
        return lines;
    }

    private String digest() throws NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (String line : sorted()) {
            digest.update(line.getBytes(StandardCharsets.ISO_8859_1));
            digest.update((byte) '\n');
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    public static void main(String[] arguments) throws Exception {
        Finder finder = (Finder) Class.forName(arguments[0]).getDeclaredConstructor().newInstance();
        Path place = Path.of(arguments[1]);
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        if (Files.isRegularFile(place)) {
            for (String line : finder.find(Files.readAllBytes(place)).sorted()) {
                out.println(line);
            }
        } else {
            BufferedReader paths = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String path = paths.readLine(); path != null; path = paths.readLine()) {
                out.println(path + "\t" + answer(finder, place.resolve(path)));
            }
        }
        out.flush();
    }

    /** The digest, or why there is none. */
    private static String answer(Finder finder, Path file) throws IOException, NoSuchAlgorithmException {
        byte[] bytes = Files.readAllBytes(file);
        Uses uses;
        try {
            uses = finder.find(bytes);
        } catch (RuntimeException refused) {
            return "refused: " + refused.toString().replaceAll("\\s", " ");
        }
        return uses.digest();
    }

    /** Callers in one order, each once. */
    static Iterable<String> sort(Iterable<String> callers) {
        TreeSet<String> set = new TreeSet<>();
        callers.forEach(set::add);
        return set;
    }
}
