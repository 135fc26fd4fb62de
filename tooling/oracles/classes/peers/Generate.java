// Writes classes by ASM that no compiler would: strings wherever they can be, among instructions, lines, annotations
// and bootstrap methods at random. Nothing verifies them.
//
//   java Generate SEED COUNT FOLDER

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.RecordComponentVisitor;
import org.objectweb.asm.Type;
import org.objectweb.asm.TypePath;
import org.objectweb.asm.TypeReference;

class Generate {
    private static final String[] ANNOTATIONS = {
        "LPlain;", "Lkotlin/Metadata;", "Lscala/reflect/ScalaSignature;", "Lscala/reflect/ScalaLongSignature;"
    };
    /** Owners and names of bootstrap methods. */
    private static final String[][] BOOTSTRAPS = {
        {"java/lang/invoke/StringConcatFactory", "makeConcatWithConstants"},
        {"java/lang/invoke/StringConcatFactory", "makeConcat"},
        {"java/lang/runtime/SwitchBootstraps", "typeSwitch"},
        {"java/lang/runtime/SwitchBootstraps", "enumSwitch"},
        {"java/lang/runtime/ObjectMethods", "bootstrap"},
        {"java/lang/invoke/LambdaMetafactory", "altMetafactory"},
        {"Own", "typeSwitch"}
    };
    private static final String[] EQUALS = {"equals", "areEqual", "hashCode", "equal"};

    private final Random random;
    private final ClassWriter writer = new ClassWriter(0);
    private final String name;
    /** Few, so that many uses share one; or more than an ldc has indices for. */
    private final int texts;
    private MethodVisitor code;
    private final List<Label> labels = new ArrayList<>();

    private Generate(long seed, String name) {
        this.random = new Random(seed);
        this.name = name;
        this.texts = chance(4) ? 400 : 12;
    }

    public static void main(String[] arguments) throws IOException {
        long seed = Long.parseLong(arguments[0]);
        Path folder = Path.of(arguments[2]);
        for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
            String name = "Generated" + i;
            Files.write(folder.resolve(name + ".class"), new Generate(seed * 1_000_003L + i, name).generate());
        }
    }

    private boolean chance(int of) {
        return random.nextInt(of) == 0;
    }

    private <T> T pick(T[] items) {
        return items[random.nextInt(items.length)];
    }

    private String text() {
        int number = random.nextInt(texts);
        return switch (number) {
            case 0 -> "";
            case 1 -> "member";
            case 2 -> "()V";
            case 3 -> "\0\ud83d\ude00\ud800";
            case 4 -> "Code";
            default -> "text " + number;
        };
    }

    private byte[] generate() {
        boolean isEnum = chance(2);
        int access = Opcodes.ACC_PUBLIC | (isEnum && chance(2) ? Opcodes.ACC_ENUM : 0);
        String superName = isEnum && chance(2) ? "java/lang/Enum" : "java/lang/Object";
        writer.visit(Opcodes.V17 + random.nextInt(8), access, name, chance(2) ? null : "LSignature;", superName, null);
        if (chance(2)) {
            writer.visitSource(text(), null);
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            fill(writer.visitAnnotation(pick(ANNOTATIONS), chance(2)), 0);
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            component("component" + i);
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            field("field" + i);
        }
        method("<clinit>", "()V");
        if (chance(2)) {
            method("$deserializeLambda$", "(Ljava/lang/invoke/SerializedLambda;)Ljava/lang/Object;");
        }
        for (int i = random.nextInt(5); i > 0; i--) {
            method(chance(3) ? "$deserializeLambda$" : "member", "(" + "I".repeat(i) + ")V");
        }
        return writer.toByteArray();
    }

    private void component(String component) {
        RecordComponentVisitor visitor = writer.visitRecordComponent(component, "I", chance(2) ? null : "TT;");
        fill(visitor.visitAnnotation(pick(ANNOTATIONS), chance(2)), 0);
        fill(visitor.visitTypeAnnotation(TypeReference.FIELD << 24, null, pick(ANNOTATIONS), chance(2)), 0);
        visitor.visitEnd();
    }

    private void field(String field) {
        Object value = chance(2) ? text() : null;
        FieldVisitor visitor = writer.visitField(Opcodes.ACC_STATIC, field, "Ljava/lang/String;", null, value);
        fill(visitor.visitAnnotation(pick(ANNOTATIONS), chance(2)), 0);
        TypePath path = TypePath.fromString("*0;");
        fill(visitor.visitTypeAnnotation(TypeReference.FIELD << 24, path, pick(ANNOTATIONS), chance(2)), 0);
        visitor.visitEnd();
    }

    /** Gives values to an annotation. */
    private void fill(AnnotationVisitor visitor, int depth) {
        for (int i = random.nextInt(4); i > 0; i--) {
            value(visitor, chance(3) ? "value" : "element" + i, depth);
        }
        visitor.visitEnd();
    }

    /** A value; no number without a name, since ASM reads all of an array as the first one of them. */
    private void value(AnnotationVisitor visitor, String element, int depth) {
        int least = element == null ? 1 : 0;
        switch (random.nextInt(least, depth > 4 ? 5 : 7)) {
            case 0 -> visitor.visit(element, random.nextInt());
            case 1 -> visitor.visit(element, Type.getType("LType;"));
            case 2 -> visitor.visitEnum(element, "LEnum;", "CONSTANT");
            case 3, 4 -> visitor.visit(element, text());
            case 5 -> fill(visitor.visitAnnotation(element, pick(ANNOTATIONS)), depth + 1);
            default -> {
                AnnotationVisitor array = visitor.visitArray(element);
                int kind = random.nextInt(3);
                for (int i = random.nextInt(4); i > 0; i--) {
                    switch (kind) {
                        case 0 -> array.visit(null, text());
                        case 1 -> fill(array.visitAnnotation(null, pick(ANNOTATIONS)), depth + 1);
                        default -> value(array, null, depth + 1);
                    }
                }
                array.visitEnd();
            }
        }
    }

    private void method(String method, String descriptor) {
        code = writer.visitMethod(Opcodes.ACC_STATIC, method, descriptor, null, null);
        code.visitParameter("parameter", 0);
        if (chance(2)) {
            AnnotationVisitor value = code.visitAnnotationDefault();
            value(value, null, 0);
            value.visitEnd();
        }
        fill(code.visitAnnotation(pick(ANNOTATIONS), chance(2)), 0);
        int parameters = Type.getArgumentCount(descriptor);
        if (parameters > 0) {
            code.visitAnnotableParameterCount(parameters, true);
            fill(code.visitParameterAnnotation(random.nextInt(parameters), pick(ANNOTATIONS), true), 0);
        }
        labels.clear();
        code.visitCode();
        for (int i = random.nextInt(60); i >= 0; i--) {
            instructions();
        }
        Label end = label();
        code.visitInsn(Opcodes.RETURN);
        Label first = labels.get(0);
        code.visitTryCatchBlock(first, end, end, "java/lang/Throwable");
        fill(code.visitTryCatchAnnotation(TypeReference.newTryCatchReference(0).getValue(), null, "LPlain;", true), 0);
        code.visitLocalVariable("variable", "Ljava/util/List;", "Ljava/util/List<LT;>;", first, end, 3);
        fill(
            code.visitLocalVariableAnnotation(
                TypeReference.LOCAL_VARIABLE << 24,
                null,
                new Label[] {first},
                new Label[] {end},
                new int[] {3},
                pick(ANNOTATIONS),
                chance(2)),
            0);
        code.visitMaxs(9, 900);
        code.visitEnd();
    }

    private Label label() {
        Label label = new Label();
        code.visitLabel(label);
        labels.add(label);
        if (labels.size() == 1 || chance(3)) {
            // Of any place before: a table need not be in the order of the code, and places may come twice.
            code.visitLineNumber(random.nextInt(70_000) & 0xffff, chance(2) ? label : pick(labels.toArray(Label[]::new)));
        }
        return label;
    }

    /** One instruction, or some that belong together, with labels and lines between them. */
    private void instructions() {
        label();
        switch (random.nextInt(16)) {
            case 0, 1 -> load();
            case 2 -> code.visitLdcInsn(random.nextBoolean() ? (Object) random.nextInt() : (Object) random.nextLong());
            case 3 -> code.visitVarInsn(pick(new Integer[] {Opcodes.ALOAD, Opcodes.ISTORE, Opcodes.DLOAD}), random.nextInt(600));
            case 4 -> code.visitIincInsn(random.nextInt(600), random.nextInt(4000));
            case 5 -> hashes();
            case 6, 7 -> compare();
            case 8, 9 -> constant();
            case 10 -> code.visitJumpInsn(Opcodes.GOTO, pick(labels.toArray(Label[]::new)));
            case 11 -> code.visitMultiANewArrayInsn("[[I", 2);
            case 12 -> code.visitMethodInsn(Opcodes.INVOKEINTERFACE, "Interface", "call", "()V", true);
            case 13 -> call();
            case 14 -> code.visitLdcInsn(dynamic(0));
            default -> {
                code.visitTypeInsn(Opcodes.NEW, "New");
                int reference = TypeReference.NEW << 24;
                fill(code.visitInsnAnnotation(reference, null, pick(ANNOTATIONS), chance(2)), 0);
            }
        }
    }

    private void load() {
        code.visitLdcInsn(text());
    }

    /** A switch, mostly over hashes of strings. */
    private void hashes() {
        String method = chance(5) ? "identityHashCode" : "hashCode";
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/lang/Object", method, chance(5) ? "()J" : "()I", false);
        if (chance(6)) {
            code.visitInsn(Opcodes.NOP);
        }
        if (chance(3)) {
            label();
        }
        Label to = labels.get(0);
        int first = text().hashCode();
        if (chance(3)) {
            int least = Math.min(first, Integer.MAX_VALUE - 3);
            code.visitTableSwitchInsn(least, least + 3, to, to, to, to, to);
        } else {
            int[] keys = random.ints(random.nextInt(5), 0, texts).map(i -> text().hashCode()).sorted().distinct().toArray();
            Label[] targets = new Label[keys.length];
            Arrays.fill(targets, to);
            code.visitLookupSwitchInsn(to, keys, targets);
        }
    }

    /** A label of a switch over strings, or what looks like one. */
    private void compare() {
        load();
        if (chance(3)) {
            label();
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            code.visitVarInsn(chance(3) ? Opcodes.ILOAD : Opcodes.ALOAD, random.nextInt(300));
        }
        int opcode = chance(2) ? Opcodes.INVOKEVIRTUAL : Opcodes.INVOKESTATIC;
        code.visitMethodInsn(opcode, "java/lang/Object", pick(EQUALS), "(Ljava/lang/Object;)Z", false);
    }

    /** The name of a constant of an enum, or what looks like one. */
    private void constant() {
        code.visitTypeInsn(Opcodes.NEW, name);
        if (chance(5)) {
            label();
        }
        code.visitInsn(chance(6) ? Opcodes.DUP2 : Opcodes.DUP);
        if (chance(6)) {
            code.visitInsn(Opcodes.NOP);
        }
        load();
        switch (random.nextInt(7)) {
            case 0 -> code.visitInsn(Opcodes.ICONST_M1 + random.nextInt(7));
            case 1 -> code.visitIntInsn(Opcodes.BIPUSH, 7);
            case 2 -> code.visitIntInsn(Opcodes.SIPUSH, 700);
            case 3 -> code.visitLdcInsn(70_000);
            case 4 -> code.visitLdcInsn(7.0f);
            case 5 -> code.visitInsn(Opcodes.LCONST_0);
            default -> load();
        }
    }

    private void call() {
        String[] method = pick(BOOTSTRAPS);
        code.visitInvokeDynamicInsn("call", "()V", handle(method), arguments(method, 0));
    }

    private Handle handle(String[] method) {
        return new Handle(Opcodes.H_INVOKESTATIC, method[0], method[1], "()V", false);
    }

    private ConstantDynamic dynamic(int depth) {
        String[] method = pick(BOOTSTRAPS);
        return new ConstantDynamic("constant", "Ljava/lang/String;", handle(method), arguments(method, depth));
    }

    private Object[] arguments(String[] method, int depth) {
        Object[] arguments = new Object[random.nextInt(5)];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = switch (random.nextInt(depth > 2 ? 4 : 5)) {
                case 0 -> random.nextInt();
                case 1 -> Type.getType("LType;");
                case 2, 3 -> text();
                default -> dynamic(depth + 1);
            };
        }
        return arguments;
    }
}
