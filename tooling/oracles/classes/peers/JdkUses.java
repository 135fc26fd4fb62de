// Uses of strings in class files, of all kinds, by the class-file API of the JDK from version 24 on.

import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attribute;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.BootstrapMethodEntry;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeAnnotation;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.AnnotationDefaultAttribute;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.attribute.ConstantValueAttribute;
import java.lang.classfile.attribute.InnerClassInfo;
import java.lang.classfile.attribute.InnerClassesAttribute;
import java.lang.classfile.attribute.LineNumberInfo;
import java.lang.classfile.attribute.LocalVariableInfo;
import java.lang.classfile.attribute.LocalVariableTableAttribute;
import java.lang.classfile.attribute.LocalVariableTypeInfo;
import java.lang.classfile.attribute.LocalVariableTypeTableAttribute;
import java.lang.classfile.attribute.MethodParameterInfo;
import java.lang.classfile.attribute.MethodParametersAttribute;
import java.lang.classfile.attribute.ModuleAttribute;
import java.lang.classfile.attribute.ModuleHashesAttribute;
import java.lang.classfile.attribute.ModuleRequireInfo;
import java.lang.classfile.attribute.ModuleTargetAttribute;
import java.lang.classfile.attribute.RecordAttribute;
import java.lang.classfile.attribute.RecordComponentInfo;
import java.lang.classfile.attribute.RuntimeInvisibleAnnotationsAttribute;
import java.lang.classfile.attribute.RuntimeInvisibleParameterAnnotationsAttribute;
import java.lang.classfile.attribute.RuntimeInvisibleTypeAnnotationsAttribute;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.classfile.attribute.RuntimeVisibleParameterAnnotationsAttribute;
import java.lang.classfile.attribute.RuntimeVisibleTypeAnnotationsAttribute;
import java.lang.classfile.attribute.SignatureAttribute;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.ConstantDynamicEntry;
import java.lang.classfile.constantpool.DynamicConstantPoolEntry;
import java.lang.classfile.constantpool.IntegerEntry;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.constantpool.MethodTypeEntry;
import java.lang.classfile.constantpool.ModuleEntry;
import java.lang.classfile.constantpool.NameAndTypeEntry;
import java.lang.classfile.constantpool.PackageEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.StringEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.classfile.instruction.ConstantInstruction.LoadConstantInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

class JdkUses implements Uses.Finder {
    private static final String DESERIALIZE = "(Ljava/lang/invoke/SerializedLambda;)Ljava/lang/Object;";

    @Override
    public Uses find(byte[] file) {
        ClassModel model = ClassFile.of().parse(file);
        Uses uses = new Uses(model.thisClass().asInternalName());
        new Walk(model, uses).walk();
        return uses;
    }

    private static class Walk {
        private final ClassModel model;
        private final Uses uses;
        private final boolean isEnum;
        /** By the index of a bootstrap method, who calls it. */
        private final Map<Integer, Set<String>> callers = new HashMap<>();
        /** The indices of those constants that something refers to. */
        private final Set<Integer> loaded = new HashSet<>();

        Walk(ClassModel model, Uses uses) {
            this.model = model;
            this.uses = uses;
            this.isEnum = (model.flags().flagsMask() & ClassFile.ACC_ENUM) != 0
                || model.superclass().map(entry -> entry.name().equalsString("java/lang/Enum")).orElse(false);
        }

        void walk() {
            for (FieldModel field : model.fields()) {
                String member = Uses.member("field", text(field.fieldName()), text(field.fieldType()));
                declared(member, field.fieldName(), field.fieldType());
                attributes(member, null, field);
            }
            for (MethodModel method : model.methods()) {
                String member = Uses.member("method", text(method.methodName()), text(method.methodType()));
                declared(member, method.methodName(), method.methodType());
                attributes(member, method, method);
                method.code().ifPresent(code -> code(member, method, code));
            }
            attributes("", null, model);
            bootstraps();
            pool();
        }

        private void pool() {
            for (PoolEntry entry : model.constantPool()) {
                int index = entry.index();
                switch (entry) {
                    case ClassEntry constant -> uses.addConstant(index, "name", text(constant.name()));
                    case ModuleEntry constant -> uses.addConstant(index, "name", text(constant.name()));
                    case PackageEntry constant -> uses.addConstant(index, "name", text(constant.name()));
                    case MethodTypeEntry constant ->
                        uses.addConstant(index, "descriptor", text(constant.descriptor()));
                    case NameAndTypeEntry constant -> {
                        uses.addConstant(index, "name", text(constant.name()));
                        uses.addConstant(index, "descriptor", text(constant.type()));
                    }
                    case StringEntry constant -> {
                        if (!loaded.contains(index)) {
                            uses.addConstant(index, "literal", text(constant.utf8()));
                        }
                    }
                    default -> {}
                }
            }
        }

        private void declared(String member, Utf8Entry name, Utf8Entry descriptor) {
            uses.add(member, "name", text(name));
            uses.add(member, "descriptor", text(descriptor));
        }

        /** @param method null where it is no method */
        private void attributes(String member, MethodModel method, AttributedElement element) {
            for (Attribute<?> attribute : element.attributes()) {
                uses.add(member, "attribute", text(attribute.attributeName()));
                if (attribute instanceof AnnotationDefaultAttribute value && method != null) {
                    String type = "L" + model.thisClass().asInternalName() + ";";
                    value(member, type, text(method.methodName()), "annotation", value.defaultValue());
                }
                attribute(member, attribute);
            }
        }

        private void attribute(String member, Attribute<?> attribute) {
            switch (attribute) {
                case CodeAttribute code -> attributes(member, null, code);
                case ConstantValueAttribute value -> {
                    if (value.constant() instanceof StringEntry constant) {
                        loaded.add(constant.index());
                        uses.addCode(member, "literal", -1, text(constant.utf8()));
                    }
                }
                case SourceFileAttribute source -> uses.add(member, "source", text(source.sourceFile()));
                case SignatureAttribute signature -> uses.add(member, "signature", text(signature.signature()));
                case InnerClassesAttribute inner -> {
                    for (InnerClassInfo info : inner.classes()) {
                        optional(member, "name", info.innerName());
                    }
                }
                case LocalVariableTableAttribute variables -> {
                    for (LocalVariableInfo info : variables.localVariables()) {
                        uses.add(member, "name", text(info.name()));
                        uses.add(member, "descriptor", text(info.type()));
                    }
                }
                case LocalVariableTypeTableAttribute variables -> {
                    for (LocalVariableTypeInfo info : variables.localVariableTypes()) {
                        uses.add(member, "name", text(info.name()));
                        uses.add(member, "signature", text(info.signature()));
                    }
                }
                case MethodParametersAttribute parameters -> {
                    for (MethodParameterInfo info : parameters.parameters()) {
                        optional(member, "name", info.name());
                    }
                }
                case RecordAttribute record -> {
                    for (RecordComponentInfo component : record.components()) {
                        String name = Uses.member("component", text(component.name()), text(component.descriptor()));
                        declared(name, component.name(), component.descriptor());
                        attributes(name, null, component);
                    }
                }
                case ModuleAttribute module -> {
                    optional(member, "source", module.moduleVersion());
                    for (ModuleRequireInfo info : module.requires()) {
                        optional(member, "source", info.requiresVersion());
                    }
                }
                case ModuleTargetAttribute target -> uses.add(member, "source", text(target.targetPlatform()));
                case ModuleHashesAttribute hashes -> uses.add(member, "source", text(hashes.algorithm()));
                case RuntimeVisibleAnnotationsAttribute list -> annotations(member, list.annotations());
                case RuntimeInvisibleAnnotationsAttribute list -> annotations(member, list.annotations());
                case RuntimeVisibleParameterAnnotationsAttribute list ->
                    list.parameterAnnotations().forEach(each -> annotations(member, each));
                case RuntimeInvisibleParameterAnnotationsAttribute list ->
                    list.parameterAnnotations().forEach(each -> annotations(member, each));
                case RuntimeVisibleTypeAnnotationsAttribute list -> onTypes(member, list.annotations());
                case RuntimeInvisibleTypeAnnotationsAttribute list -> onTypes(member, list.annotations());
                default -> {}
            }
        }

        private void optional(String member, String kind, Optional<Utf8Entry> entry) {
            entry.ifPresent(present -> uses.add(member, kind, text(present)));
        }

        private void annotations(String member, List<Annotation> annotations) {
            for (Annotation annotation : annotations) {
                annotation(member, text(annotation.className()), "", annotation);
            }
        }

        private void onTypes(String member, List<TypeAnnotation> annotations) {
            for (TypeAnnotation annotation : annotations) {
                annotation(member, text(annotation.annotation().className()), "", annotation.annotation());
            }
        }

        /** @param type of the outermost one */
        private void annotation(String member, String type, String path, Annotation annotation) {
            uses.addAnnotation(member, "descriptor", type, path, text(annotation.className()));
            String kind = Uses.annotationKind(text(annotation.className()));
            for (AnnotationElement element : annotation.elements()) {
                String name = text(element.name());
                String to = path.isEmpty() ? name : path + "." + name;
                uses.addAnnotation(member, "name", type, to, name);
                value(member, type, to, kind, element.value());
            }
        }

        private void value(String member, String type, String path, String kind, AnnotationValue value) {
            switch (value) {
                case AnnotationValue.OfString text ->
                    uses.addAnnotation(member, kind, type, path, text(text.constant()));
                case AnnotationValue.OfClass text ->
                    uses.addAnnotation(member, "descriptor", type, path, text(text.className()));
                case AnnotationValue.OfEnum constant -> {
                    uses.addAnnotation(member, "descriptor", type, path, text(constant.className()));
                    uses.addAnnotation(member, "name", type, path, text(constant.constantName()));
                }
                case AnnotationValue.OfAnnotation inner ->
                    annotation(member, type, path, inner.annotation());
                case AnnotationValue.OfArray array -> {
                    for (int i = 0; i < array.values().size(); i++) {
                        value(member, type, path + "[" + i + "]", kind, array.values().get(i));
                    }
                }
                default -> {}
            }
        }

        private void code(String member, MethodModel method, CodeModel code) {
            List<Instruction> instructions = new ArrayList<>();
            for (CodeElement element : code) {
                if (element instanceof Instruction instruction) {
                    instructions.add(instruction);
                }
            }
            List<LineNumberInfo> lines = new ArrayList<>();
            for (var table : code.findAttributes(Attributes.lineNumberTable())) {
                lines.addAll(table.lineNumbers());
            }
            Set<Integer> hashes = findHashes(instructions);
            int offset = 0;
            for (int i = 0; i < instructions.size(); i++) {
                Instruction instruction = instructions.get(i);
                if (instruction instanceof LoadConstantInstruction load) {
                    // An ldc2_w of a string is nothing that a JVM knows.
                    boolean isNarrow = load.opcode() != Opcode.LDC2_W;
                    if (isNarrow && load.constantEntry() instanceof StringEntry constant) {
                        String text = text(constant.utf8());
                        loaded.add(constant.index());
                        uses.addCode(member, kind(method, instructions, i, text, hashes), line(lines, offset), text);
                    } else if (load.constantEntry() instanceof ConstantDynamicEntry dynamic) {
                        call(dynamic, member, line(lines, offset));
                    }
                } else if (instruction instanceof InvokeDynamicInstruction invoke) {
                    call(invoke.invokedynamic(), member, line(lines, offset));
                }
                offset += instruction.sizeInBytes();
            }
        }

        private static int line(List<LineNumberInfo> lines, int offset) {
            LineNumberInfo best = null;
            for (LineNumberInfo each : lines) {
                if (each.startPc() <= offset && (best == null || each.startPc() >= best.startPc())) {
                    best = each;
                }
            }
            return best == null ? -1 : best.lineNumber();
        }

        private void call(DynamicConstantPoolEntry entry, String member, int line) {
            callers.computeIfAbsent(entry.bootstrapMethodIndex(), index -> new TreeSet<>())
                .add(Uses.caller(member, line));
        }

        private String kind(
            MethodModel method, List<Instruction> instructions, int at, String text, Set<Integer> hashes) {
            if (method.methodName().equalsString("$deserializeLambda$")
                && method.methodType().equalsString(DESERIALIZE)) {
                return "lambda";
            }
            Instruction next = at + 1 < instructions.size() ? instructions.get(at + 1) : null;
            if (isEnum
                && method.methodName().equalsString("<clinit>")
                && at > 1
                && instructions.get(at - 1).opcode() == Opcode.DUP
                && instructions.get(at - 2).opcode() == Opcode.NEW
                && isInteger(next)) {
                return "enum-constant";
            }
            if (hashes.contains(text.hashCode())) {
                if (next instanceof LoadInstruction load
                    && load.typeKind() == TypeKind.REFERENCE
                    && at + 2 < instructions.size()) {
                    next = instructions.get(at + 2);
                }
                if (next instanceof InvokeInstruction invoke
                    && (invoke.name().equalsString("equals") || invoke.name().equalsString("areEqual"))) {
                    return "switch-label";
                }
            }
            return "literal";
        }

        private static boolean isInteger(Instruction instruction) {
            if (instruction instanceof LoadConstantInstruction load) {
                return load.constantEntry() instanceof IntegerEntry;
            }
            return instruction != null && switch (instruction.opcode()) {
                case ICONST_M1, ICONST_0, ICONST_1, ICONST_2, ICONST_3, ICONST_4, ICONST_5, BIPUSH, SIPUSH -> true;
                default -> false;
            };
        }

        private static Set<Integer> findHashes(List<Instruction> instructions) {
            Set<Integer> hashes = new HashSet<>();
            for (int i = 1; i < instructions.size(); i++) {
                if (!(instructions.get(i - 1) instanceof InvokeInstruction invoke)
                    || !invoke.name().equalsString("hashCode")
                    || !invoke.type().equalsString("()I")) {
                    continue;
                }
                if (instructions.get(i) instanceof LookupSwitchInstruction cases) {
                    cases.cases().stream().map(SwitchCase::caseValue).forEach(hashes::add);
                } else if (instructions.get(i) instanceof TableSwitchInstruction cases) {
                    for (int j = 0; j <= cases.highValue() - cases.lowValue(); j++) {
                        hashes.add(cases.lowValue() + j);
                    }
                }
            }
            return hashes;
        }

        private void bootstraps() {
            var attribute = model.findAttribute(Attributes.bootstrapMethods());
            if (attribute.isEmpty()) {
                return;
            }
            for (BootstrapMethodEntry entry : attribute.get().bootstrapMethods()) {
                MethodHandleEntry handle = entry.bootstrapMethod();
                String method = text(handle.reference().owner().name()) + "." + text(handle.reference().name());
                List<LoadableConstantEntry> arguments = entry.arguments();
                boolean isFirst = true;
                for (int i = 0; i < arguments.size(); i++) {
                    if (arguments.get(i) instanceof StringEntry constant) {
                        loaded.add(constant.index());
                        String kind = Uses.argumentKind(method, isFirst);
                        isFirst = false;
                        Set<String> calls = callers.getOrDefault(entry.bsmIndex(), Set.of());
                        uses.addArgument(kind, method, i, calls, text(constant.utf8()));
                    }
                }
            }
        }
    }

    private static String text(Utf8Entry entry) {
        return entry.stringValue();
    }
}
