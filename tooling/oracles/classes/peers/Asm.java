// Kinds of the strings of a class, by ASM.

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.ModuleVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.RecordComponentVisitor;
import org.objectweb.asm.Type;
import org.objectweb.asm.TypePath;
import org.objectweb.asm.tree.ClassNode;

class Asm {
    private static final int API = Opcodes.ASM9;
    /** Kinds of the strings that CONSTANT_String refers to. */
    private static final String[] TEXTS = {
        "literal", "recipe", "switch-label", "record-components", "lambda", "enum-constant", "bootstrap-argument"
    };
    private static final String[] OTHERS = {
        "name", "descriptor", "signature", "annotation", "kotlin-metadata", "scala-signature", "source"
    };

    private Map<String, Collection<String>> found;

    /** Tells what the strings of a class are for. */
    Map<String, Collection<String>> read(byte[] file) {
        found = new TreeMap<>();
        for (String[] kinds : new String[][] {TEXTS, OTHERS}) {
            for (String kind : kinds) {
                found.put(kind, new TreeSet<>());
            }
        }
        ClassReader reader = new ClassReader(file);
        reader.accept(new Strings(), 0);
        ClassNode node = new ClassNode();
        reader.accept(node, 0);
        new Texts().walk(node);
        constants(reader);
        return found;
    }

    /**
     * Constants that nothing refers to: javac leaves those of classes of which it only needs the value of a
     * constant, Kotlin leaves members. The modules are those of ModuleHashes, which ASM passes over. A string
     * that nothing loads is a literal.
     */
    private void constants(ClassReader reader) {
        char[] buffer = new char[reader.getMaxStringLength()];
        for (int index = 1; index < reader.getItemCount(); index++) {
            int offset = reader.getItem(index);
            int tag = offset == 0 ? 0 : reader.readByte(offset - 1);
            if (tag == 7 || tag == 12 || tag == 19) {
                names(reader.readUTF8(offset, buffer));
            }
            if (tag == 12) {
                add("descriptor", reader.readUTF8(offset + 2, buffer));
            }
            if (tag == 8 && !isLoaded(reader.readUTF8(offset, buffer))) {
                add("literal", reader.readUTF8(offset, buffer));
            }
        }
    }

    private boolean isLoaded(String text) {
        return Arrays.stream(TEXTS).anyMatch(kind -> found.get(kind).contains(text));
    }

    private void add(String kind, String text) {
        if (text != null) {
            found.get(kind).add(text);
        }
    }

    private void names(String... names) {
        if (names != null) {
            for (String name : names) {
                add("name", name);
            }
        }
    }

    private void member(String owner, String name, String descriptor) {
        names(owner, name);
        add("descriptor", descriptor);
    }

    /** A constant that is loaded, or an argument of a bootstrap method; no string, which {@link Texts} are for. */
    private void constant(Object value) {
        if (value instanceof Type type) {
            if (type.getSort() == Type.METHOD) {
                add("descriptor", type.getDescriptor());
            } else {
                names(type.getInternalName());
            }
        } else if (value instanceof Handle handle) {
            member(handle.getOwner(), handle.getName(), handle.getDesc());
        } else if (value instanceof ConstantDynamic dynamic) {
            member(null, dynamic.getName(), dynamic.getDescriptor());
            constant(dynamic.getBootstrapMethod());
            for (int i = 0; i < dynamic.getBootstrapMethodArgumentCount(); i++) {
                constant(dynamic.getBootstrapMethodArgument(i));
            }
        }
    }

    private AnnotationVisitor annotation(String descriptor) {
        add("descriptor", descriptor);
        return new Values(Uses.annotationKind(descriptor));
    }

    private class Values extends AnnotationVisitor {
        private final String kind;

        Values(String kind) {
            super(API);
            this.kind = kind;
        }

        @Override
        public void visit(String name, Object value) {
            names(name);
            if (value instanceof String text) {
                add(kind, text);
            } else if (value instanceof Type type) {
                add("descriptor", type.getDescriptor());
            }
        }

        @Override
        public void visitEnum(String name, String descriptor, String value) {
            names(name, value);
            add("descriptor", descriptor);
        }

        @Override
        public AnnotationVisitor visitAnnotation(String name, String descriptor) {
            names(name);
            return annotation(descriptor);
        }

        @Override
        public AnnotationVisitor visitArray(String name) {
            names(name);
            return this;
        }
    }

    private class Texts extends AsmWalk {
        @Override
        void declared(String member, String name, String descriptor) {}

        @Override
        String code(String member, String kind, int line, String text) {
            add(kind, text);
            return text;
        }

        @Override
        String annotation(String member, String kind, String type, String path, String text) {
            return text;
        }

        @Override
        String argument(String kind, String method, int argument, String caller, String text) {
            add(kind, text);
            return text;
        }
    }

    private class Strings extends ClassVisitor {
        Strings() {
            super(API);
        }

        @Override
        public void visit(
            int version, int access, String name, String signature, String superName, String[] interfaces) {
            names(name, superName);
            names(interfaces);
            add("signature", signature);
        }

        @Override
        public void visitSource(String source, String debug) {
            add("source", source);
        }

        @Override
        public ModuleVisitor visitModule(String name, int access, String version) {
            names(name);
            add("source", version);
            return new ModuleStrings();
        }

        @Override
        public void visitNestHost(String nestHost) {
            names(nestHost);
        }

        @Override
        public void visitNestMember(String nestMember) {
            names(nestMember);
        }

        @Override
        public void visitPermittedSubclass(String permittedSubclass) {
            names(permittedSubclass);
        }

        @Override
        public void visitOuterClass(String owner, String name, String descriptor) {
            member(owner, name, descriptor);
        }

        @Override
        public void visitInnerClass(String name, String outerName, String innerName, int access) {
            names(name, outerName, innerName);
        }

        @Override
        public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
            return annotation(descriptor);
        }

        @Override
        public AnnotationVisitor visitTypeAnnotation(int type, TypePath path, String descriptor, boolean visible) {
            return annotation(descriptor);
        }

        @Override
        public RecordComponentVisitor visitRecordComponent(String name, String descriptor, String signature) {
            member(null, name, descriptor);
            add("signature", signature);
            return new RecordComponentVisitor(API) {
                @Override
                public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
                    return annotation(descriptor);
                }

                @Override
                public AnnotationVisitor visitTypeAnnotation(
                    int type, TypePath path, String descriptor, boolean visible) {
                    return annotation(descriptor);
                }
            };
        }

        @Override
        public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
            member(null, name, descriptor);
            add("signature", signature);
            constant(value);
            return new FieldVisitor(API) {
                @Override
                public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
                    return annotation(descriptor);
                }

                @Override
                public AnnotationVisitor visitTypeAnnotation(
                    int type, TypePath path, String descriptor, boolean visible) {
                    return annotation(descriptor);
                }
            };
        }

        @Override
        public MethodVisitor visitMethod(
            int access, String name, String descriptor, String signature, String[] exceptions) {
            member(null, name, descriptor);
            add("signature", signature);
            names(exceptions);
            return new MethodStrings();
        }
    }

    private class ModuleStrings extends ModuleVisitor {
        ModuleStrings() {
            super(API);
        }

        @Override
        public void visitMainClass(String mainClass) {
            names(mainClass);
        }

        @Override
        public void visitPackage(String name) {
            names(name);
        }

        @Override
        public void visitRequire(String module, int access, String version) {
            names(module);
            add("source", version);
        }

        @Override
        public void visitExport(String name, int access, String... modules) {
            names(name);
            names(modules);
        }

        @Override
        public void visitOpen(String name, int access, String... modules) {
            names(name);
            names(modules);
        }

        @Override
        public void visitUse(String service) {
            names(service);
        }

        @Override
        public void visitProvide(String service, String... providers) {
            names(service);
            names(providers);
        }
    }

    private class MethodStrings extends MethodVisitor {
        MethodStrings() {
            super(API);
        }

        @Override
        public void visitParameter(String name, int access) {
            names(name);
        }

        @Override
        public AnnotationVisitor visitAnnotationDefault() {
            return new Values("annotation");
        }

        @Override
        public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
            return annotation(descriptor);
        }

        @Override
        public AnnotationVisitor visitTypeAnnotation(int type, TypePath path, String descriptor, boolean visible) {
            return annotation(descriptor);
        }

        @Override
        public AnnotationVisitor visitParameterAnnotation(int parameter, String descriptor, boolean visible) {
            return annotation(descriptor);
        }

        @Override
        public AnnotationVisitor visitInsnAnnotation(int type, TypePath path, String descriptor, boolean visible) {
            return annotation(descriptor);
        }

        @Override
        public AnnotationVisitor visitTryCatchAnnotation(
            int type, TypePath path, String descriptor, boolean visible) {
            return annotation(descriptor);
        }

        @Override
        public AnnotationVisitor visitLocalVariableAnnotation(
            int type, TypePath path, Label[] start, Label[] end, int[] index, String descriptor, boolean visible) {
            return annotation(descriptor);
        }

        @Override
        public void visitFrame(int type, int locals, Object[] local, int stacked, Object[] stack) {
            frame(locals, local);
            frame(stacked, stack);
        }

        private void frame(int count, Object[] types) {
            for (int i = 0; i < count && types != null; i++) {
                if (types[i] instanceof String name) {
                    names(name);
                }
            }
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            names(type);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            member(owner, name, descriptor);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            member(owner, name, descriptor);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle method, Object... arguments) {
            member(null, name, descriptor);
            constant(method);
            for (Object argument : arguments) {
                constant(argument);
            }
        }

        @Override
        public void visitLdcInsn(Object value) {
            constant(value);
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            names(descriptor);
        }

        @Override
        public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
            names(type);
        }

        @Override
        public void visitLocalVariable(
            String name, String descriptor, String signature, Label start, Label end, int index) {
            member(null, name, descriptor);
            add("signature", signature);
        }
    }
}
