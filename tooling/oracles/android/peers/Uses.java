// Finds all strings of DEX files, and all places that refer to one, with dexlib2. It writes a line for
// each, with the fields between tabs, texts as UTF-16 code units in hexadecimal:
//
//   string <index> <text>
//   use <kind> <class> <member> <line> <annotation> <path> <bootstrap> <argument> <callers> <identifier> <text>
//
// The kinds of strings follow from rules of this program, made from the same documents as ours.
//
//   java -cp dexlib2.jar:guava.jar Uses.java FILE

import java.io.BufferedInputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jf.dexlib2.Opcode;
import org.jf.dexlib2.ReferenceType;
import org.jf.dexlib2.dexbacked.DexBackedClassDef;
import org.jf.dexlib2.dexbacked.DexBackedDexFile;
import org.jf.dexlib2.dexbacked.DexBackedField;
import org.jf.dexlib2.dexbacked.DexBackedMethod;
import org.jf.dexlib2.dexbacked.instruction.DexBackedInstruction;
import org.jf.dexlib2.dexbacked.reference.DexBackedCallSiteReference;
import org.jf.dexlib2.iface.Annotation;
import org.jf.dexlib2.iface.AnnotationElement;
import org.jf.dexlib2.iface.Method;
import org.jf.dexlib2.iface.MethodImplementation;
import org.jf.dexlib2.iface.debug.DebugItem;
import org.jf.dexlib2.iface.debug.LineNumber;
import org.jf.dexlib2.iface.debug.SetSourceFile;
import org.jf.dexlib2.iface.debug.StartLocal;
import org.jf.dexlib2.iface.instruction.Instruction;
import org.jf.dexlib2.iface.instruction.ReferenceInstruction;
import org.jf.dexlib2.iface.reference.MethodReference;
import org.jf.dexlib2.iface.reference.Reference;
import org.jf.dexlib2.iface.reference.StringReference;
import org.jf.dexlib2.iface.value.AnnotationEncodedValue;
import org.jf.dexlib2.iface.value.ArrayEncodedValue;
import org.jf.dexlib2.iface.value.EncodedValue;
import org.jf.dexlib2.iface.value.StringEncodedValue;

class Uses {
    private static PrintWriter out;
    private static DexBackedDexFile dex;

    public static void main(String[] arguments) throws Exception {
        out = new PrintWriter(System.out, false);
        try (BufferedInputStream in = new BufferedInputStream(Files.newInputStream(Path.of(arguments[0])))) {
            dex = DexBackedDexFile.fromInputStream(null, in);
        }
        List<String> strings = dex.getStringSection();
        for (int i = 0; i < strings.size(); i++) {
            out.println("string\t" + i + "\t" + hex(strings.get(i)));
        }
        identifiers();
        Map<Integer, List<String>> callers = findCallers();
        for (int i = 0; i < dex.getCallSiteSection().size(); i++) {
            callSite(i, callers.getOrDefault(i, List.of()));
        }
        for (DexBackedClassDef each : dex.getClassSection()) {
            readClass(each);
        }
        out.flush();
    }

    private static String hex(String text) {
        StringBuilder digits = new StringBuilder(4 * text.length());
        for (int i = 0; i < text.length(); i++) {
            String unit = Integer.toHexString(text.charAt(i));
            digits.append("0000", 0, 4 - unit.length()).append(unit);
        }
        return digits.toString();
    }

    /** A use that is in a class. */
    private static void print(String kind, String className, String member, Integer line, String text) {
        print(kind, className, member, line, "\t", "\t\t", "", text);
    }

    private static void print(String kind, String className, String member, Integer line, String annotation,
            String bootstrap, String identifier, String text) {
        String shown = line == null ? "" : line.toString();
        out.println(String.join("\t", "use", kind, className, member, shown, annotation, bootstrap, identifier,
            hex(text)));
    }

    private static void identifiers() {
        column("type", "descriptor", dex.getTypeSection().size(), dex.getTypeSection()::getOffset, 0);
        column("prototype", "descriptor", dex.getProtoSection().size(), dex.getProtoSection()::getOffset, 0);
        column("field", "name", dex.getFieldSection().size(), dex.getFieldSection()::getOffset, 4);
        column("method", "name", dex.getMethodSection().size(), dex.getMethodSection()::getOffset, 4);
    }

    interface Offsets {
        int of(int index);
    }

    private static void column(String section, String kind, int size, Offsets offsets, int position) {
        for (int i = 0; i < size; i++) {
            int index = dex.getBuffer().readSmallUint(offsets.of(i) + position);
            print(kind, "", "", null, "\t", "\t\t", section + " " + i, dex.getStringSection().get(index));
        }
    }

    private static Map<Integer, List<String>> findCallers() {
        Map<Integer, List<String>> callers = new HashMap<>();
        for (DexBackedClassDef each : dex.getClassSection()) {
            for (DexBackedMethod method : each.getMethods()) {
                MethodImplementation code = method.getImplementation();
                if (code == null) {
                    continue;
                }
                Lines lines = new Lines(code);
                int address = 0;
                for (Instruction instruction : code.getInstructions()) {
                    Opcode opcode = instruction.getOpcode();
                    if (opcode == Opcode.INVOKE_CUSTOM || opcode == Opcode.INVOKE_CUSTOM_RANGE) {
                        int at = ((DexBackedInstruction) instruction).instructionStart + 2;
                        int index = dex.getDataBuffer().readUshort(at);
                        Integer line = lines.at(address);
                        callers.computeIfAbsent(index, key -> new ArrayList<>()).add(internal(each.getType()) + " "
                            + memberOf(method) + " " + (line == null ? "" : line));
                    }
                    address += instruction.getCodeUnits();
                }
            }
        }
        return callers;
    }

    private static void callSite(int index, List<String> callers) {
        DexBackedCallSiteReference site = dex.getCallSiteSection().get(index);
        print("name", "", "", null, site.getMethodName());
        Reference member = site.getMethodHandle().getMemberReference();
        String method = member instanceof MethodReference found
            ? internal(found.getDefiningClass()) + "." + found.getName() : "";
        int argument = 0;
        for (EncodedValue value : site.getExtraArguments()) {
            List<String> texts = new ArrayList<>();
            collect(value, texts);
            for (String text : texts) {
                String kind = switch (method) {
                    case "java/lang/invoke/StringConcatFactory.makeConcatWithConstants" ->
                        argument == 0 ? "recipe" : "bootstrap-argument";
                    case "java/lang/runtime/SwitchBootstraps.typeSwitch",
                        "java/lang/runtime/SwitchBootstraps.enumSwitch" -> "switch-label";
                    case "java/lang/runtime/ObjectMethods.bootstrap" -> "record-components";
                    default -> "bootstrap-argument";
                };
                String bootstrap = method + "\t" + argument + "\t" + String.join(",", callers);
                print(kind, "", "", null, "\t", bootstrap, "", text);
            }
            argument++;
        }
    }

    private static void collect(EncodedValue value, List<String> texts) {
        if (value instanceof StringEncodedValue string) {
            texts.add(string.getValue());
        } else if (value instanceof ArrayEncodedValue array) {
            array.getValue().forEach(each -> collect(each, texts));
        }
    }

    private static void readClass(DexBackedClassDef each) {
        String name = internal(each.getType());
        if (each.getSourceFile() != null) {
            print("source", name, "", null, each.getSourceFile());
        }
        annotations(each.getAnnotations(), name, "");
        for (DexBackedField field : each.getFields()) {
            String member = "field " + field.getName() + " " + field.getType();
            annotations(field.getAnnotations(), name, member);
            List<String> texts = new ArrayList<>();
            if (field.getInitialValue() != null) {
                collect(field.getInitialValue(), texts);
            }
            texts.forEach(text -> print("literal", name, member, null, text));
        }
        for (DexBackedMethod method : each.getMethods()) {
            annotations(method.getAnnotations(), name, memberOf(method));
            for (Set<? extends Annotation> set : method.getParameterAnnotations()) {
                annotations(set, name, memberOf(method));
            }
            if (method.getImplementation() != null) {
                code(method, name);
            }
        }
    }

    private static String memberOf(Method method) {
        StringBuilder descriptor = new StringBuilder("(");
        method.getParameterTypes().forEach(descriptor::append);
        return "method " + method.getName() + " " + descriptor + ")" + method.getReturnType();
    }

    private static void code(DexBackedMethod method, String className) {
        MethodImplementation code = method.getImplementation();
        String member = memberOf(method);
        Lines lines = new Lines(code);
        int address = 0;
        int position = 0;
        for (Instruction instruction : code.getInstructions()) {
            if (instruction instanceof ReferenceInstruction reference
                && reference.getReferenceType() == ReferenceType.STRING) {
                try {
                    String text = ((StringReference) reference.getReference()).getString();
                    print("literal", className, member, lines.at(address), text);
                } catch (IndexOutOfBoundsException wrong) {
                    // There is no string of this index: the other instructions are still read.
                }
            }
            address += instruction.getCodeUnits();
            position++;
        }
        java.util.Iterator<String> names = method.getParameterNames();
        while (names.hasNext()) {
            String name = names.next();
            if (name != null) {
                print("name", className, member, null, name);
            }
        }
        Integer line = null;
        for (DebugItem item : code.getDebugItems()) {
            if (item instanceof LineNumber number) {
                line = number.getLineNumber();
            } else if (item instanceof StartLocal local) {
                if (local.getName() != null) {
                    print("name", className, member, line, local.getName());
                }
                if (local.getSignature() != null) {
                    print("signature", className, member, line, local.getSignature());
                }
            } else if (item instanceof SetSourceFile file && file.getSourceFile() != null) {
                print("source", className, member, line, file.getSourceFile());
            }
        }
    }

    /** The table of lines of a method. */
    private static class Lines {
        private final List<LineNumber> table = new ArrayList<>();

        Lines(MethodImplementation code) {
            for (DebugItem item : code.getDebugItems()) {
                if (item instanceof LineNumber number) {
                    table.add(number);
                }
            }
        }

        Integer at(int address) {
            Integer line = null;
            for (LineNumber number : table) {
                if (number.getCodeAddress() > address) {
                    break;
                }
                line = number.getLineNumber();
            }
            return line;
        }
    }

    private static void annotations(Set<? extends Annotation> all, String className, String member) {
        for (Annotation annotation : all) {
            elements(annotation.getType(), annotation.getElements(), kindIn(annotation.getType()), false, "",
                new Outer(className, member, annotation.getType()));
        }
    }

    private record Outer(String className, String member, String type) {}

    private static String kindIn(String type) {
        return switch (type) {
            case "Lkotlin/Metadata;" -> "kotlin-metadata";
            case "Lscala/reflect/ScalaSignature;", "Lscala/reflect/ScalaLongSignature;" -> "scala-signature";
            case "Ldalvik/annotation/Signature;" -> "signature";
            case "Ldalvik/annotation/InnerClass;", "Ldalvik/annotation/MethodParameters;",
                "Ldalvik/annotation/Record;" -> "name";
            case "Ldalvik/annotation/SourceDebugExtension;" -> "source";
            default -> "annotation";
        };
    }

    private static void elements(String type, Set<? extends AnnotationElement> elements, String kind, boolean fixed,
            String path, Outer outer) {
        boolean isDefaults = type.equals("Ldalvik/annotation/AnnotationDefault;");
        for (AnnotationElement element : elements) {
            print("name", outer.className, outer.member, null, element.getName());
            String step = path.isEmpty() ? element.getName() : path + "." + element.getName();
            value(element.getValue(), kind, fixed || isDefaults, step, outer);
        }
    }

    private static void value(EncodedValue value, String kind, boolean fixed, String path, Outer outer) {
        if (value instanceof StringEncodedValue string) {
            print(kind, outer.className, outer.member, null, outer.type + "\t" + path, "\t\t", "", string.getValue());
        } else if (value instanceof ArrayEncodedValue array) {
            int position = 0;
            for (EncodedValue each : array.getValue()) {
                value(each, kind, fixed, path + "[" + position++ + "]", outer);
            }
        } else if (value instanceof AnnotationEncodedValue nested) {
            String own = fixed ? kind : kindIn(nested.getType());
            elements(nested.getType(), nested.getElements(), own, fixed, path, outer);
        }
    }

    private static String internal(String type) {
        return type.startsWith("L") && type.endsWith(";") ? type.substring(1, type.length() - 1) : type;
    }
}
