// Goes through a class as ASM reads it, and finds the strings that it loads, gives to bootstrap methods and has in
// annotations. Each may be replaced.

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.ListIterator;
import java.util.Set;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.RecordComponentNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

abstract class AsmWalk {
    private static final String DESERIALIZE = "(Ljava/lang/invoke/SerializedLambda;)Ljava/lang/Object;";

    private ClassNode node;
    /** Member that is being visited. */
    private String member;
    private int line;

    void walk(ClassNode node) {
        this.node = node;
        member = "";
        annotations(node.visibleAnnotations, node.invisibleAnnotations);
        annotations(node.visibleTypeAnnotations, node.invisibleTypeAnnotations);
        for (FieldNode field : node.fields) {
            member = Uses.member("field", field.name, field.desc);
            annotations(field.visibleAnnotations, field.invisibleAnnotations);
            annotations(field.visibleTypeAnnotations, field.invisibleTypeAnnotations);
            if (field.value instanceof String text) {
                field.value = code(member, "literal", -1, text);
            }
            declared(member, field.name, field.desc);
        }
        if (node.recordComponents != null) {
            for (RecordComponentNode component : node.recordComponents) {
                member = Uses.member("component", component.name, component.descriptor);
                annotations(component.visibleAnnotations, component.invisibleAnnotations);
                annotations(component.visibleTypeAnnotations, component.invisibleTypeAnnotations);
                declared(member, component.name, component.descriptor);
            }
        }
        for (MethodNode method : node.methods) {
            member = Uses.member("method", method.name, method.desc);
            declared(member, method.name, method.desc);
            method(method);
        }
    }

    /** A member as it is declared. */
    abstract void declared(String member, String name, String descriptor);

    /** A string that an instruction loads, or that a field is; returns what comes in its place. */
    abstract String code(String member, String kind, int line, String text);

    /** A value in an annotation. */
    abstract String annotation(String member, String kind, String type, String path, String text);

    /**
     * An argument of a bootstrap method, for one of its callers.
     *
     * @param caller null where that is no instruction but another bootstrap method, which has it as an argument
     */
    abstract String argument(String kind, String method, int argument, String caller, String text);

    private void method(MethodNode method) {
        annotations(method.visibleAnnotations, method.invisibleAnnotations);
        annotations(method.visibleTypeAnnotations, method.invisibleTypeAnnotations);
        parameters(method.visibleParameterAnnotations);
        parameters(method.invisibleParameterAnnotations);
        if (method.annotationDefault != null) {
            method.annotationDefault = value("L" + node.name + ";", method.name, "annotation", method.annotationDefault);
        }
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            annotations(block.visibleTypeAnnotations, block.invisibleTypeAnnotations);
        }
        annotations(method.visibleLocalVariableAnnotations, method.invisibleLocalVariableAnnotations);
        Set<Integer> hashes = findHashes(method);
        line = -1;
        for (AbstractInsnNode each : method.instructions) {
            if (each instanceof LineNumberNode number) {
                line = number.line;
            }
            annotations(each.visibleTypeAnnotations, each.invisibleTypeAnnotations);
            if (each instanceof LdcInsnNode load) {
                if (load.cst instanceof String text) {
                    load.cst = code(member, kind(method, load, text, hashes), line, text);
                } else if (load.cst instanceof ConstantDynamic dynamic) {
                    load.cst = dynamic(dynamic, Uses.caller(member, line));
                }
            } else if (each instanceof InvokeDynamicInsnNode call) {
                call.bsmArgs = arguments(call.bsm, call.bsmArgs, Uses.caller(member, line));
            }
        }
    }

    private String kind(MethodNode method, LdcInsnNode load, String text, Set<Integer> hashes) {
        if (method.name.equals("$deserializeLambda$") && method.desc.equals(DESERIALIZE)) {
            return "lambda";
        }
        AbstractInsnNode next = next(load);
        if (isEnum() && method.name.equals("<clinit>") && isInteger(next)) {
            AbstractInsnNode before = previous(load);
            if (is(before, Opcodes.DUP) && is(previous(before), Opcodes.NEW)) {
                return "enum-constant";
            }
        }
        if (hashes.contains(text.hashCode())) {
            if (is(next, Opcodes.ALOAD)) {
                next = next(next);
            }
            if (next instanceof MethodInsnNode call && (call.name.equals("equals") || call.name.equals("areEqual"))) {
                return "switch-label";
            }
        }
        return "literal";
    }

    private boolean isEnum() {
        return "java/lang/Enum".equals(node.superName) || (node.access & Opcodes.ACC_ENUM) != 0;
    }

    private static boolean isInteger(AbstractInsnNode node) {
        if (node instanceof LdcInsnNode load) {
            return load.cst instanceof Integer;
        }
        return node != null && node.getOpcode() >= Opcodes.ICONST_M1 && node.getOpcode() <= Opcodes.ICONST_5
            || is(node, Opcodes.BIPUSH)
            || is(node, Opcodes.SIPUSH);
    }

    private static boolean is(AbstractInsnNode node, int opcode) {
        return node != null && node.getOpcode() == opcode;
    }

    /** The cases of switches over hashes. */
    private static Set<Integer> findHashes(MethodNode method) {
        Set<Integer> hashes = new HashSet<>();
        for (AbstractInsnNode each : method.instructions) {
            if (!(previous(each) instanceof MethodInsnNode call)
                || !call.name.equals("hashCode")
                || !call.desc.equals("()I")) {
                continue;
            }
            if (each instanceof LookupSwitchInsnNode cases) {
                hashes.addAll(cases.keys);
            } else if (each instanceof TableSwitchInsnNode cases) {
                // The difference to the first one, as the last one may be the largest integer.
                for (int i = 0; i <= cases.max - cases.min; i++) {
                    hashes.add(cases.min + i);
                }
            }
        }
        return hashes;
    }

    /** The instruction before, which no label, line or frame is. */
    private static AbstractInsnNode previous(AbstractInsnNode node) {
        AbstractInsnNode before = node.getPrevious();
        while (before != null && before.getOpcode() < 0) {
            before = before.getPrevious();
        }
        return before;
    }

    private static AbstractInsnNode next(AbstractInsnNode node) {
        AbstractInsnNode after = node.getNext();
        while (after != null && after.getOpcode() < 0) {
            after = after.getNext();
        }
        return after;
    }

    private ConstantDynamic dynamic(ConstantDynamic constant, String caller) {
        Object[] arguments = new Object[constant.getBootstrapMethodArgumentCount()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = constant.getBootstrapMethodArgument(i);
        }
        Handle method = constant.getBootstrapMethod();
        Object[] replaced = arguments(method, arguments, caller);
        return new ConstantDynamic(constant.getName(), constant.getDescriptor(), method, replaced);
    }

    private Object[] arguments(Handle handle, Object[] arguments, String caller) {
        String method = handle.getOwner() + "." + handle.getName();
        Object[] replaced = arguments.clone();
        boolean isFirst = true;
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] instanceof String text) {
                String kind = Uses.argumentKind(method, isFirst);
                replaced[i] = argument(kind, method, i, caller, text);
                isFirst = false;
            } else if (arguments[i] instanceof ConstantDynamic dynamic) {
                replaced[i] = dynamic(dynamic, null);
            }
        }
        return replaced;
    }

    @SafeVarargs
    private void annotations(List<? extends AnnotationNode>... lists) {
        for (List<? extends AnnotationNode> list : lists) {
            if (list != null) {
                for (AnnotationNode annotation : list) {
                    values(annotation, annotation.desc, "");
                }
            }
        }
    }

    private void parameters(List<AnnotationNode>[] lists) {
        if (lists != null) {
            annotations(lists);
        }
    }

    /** @param type of the outermost annotation */
    private void values(AnnotationNode annotation, String type, String path) {
        if (annotation.values == null) {
            return;
        }
        String kind = Uses.annotationKind(annotation.desc);
        for (int i = 0; i < annotation.values.size(); i += 2) {
            String name = (String) annotation.values.get(i);
            String to = path.isEmpty() ? name : path + "." + name;
            annotation.values.set(i + 1, value(type, to, kind, annotation.values.get(i + 1)));
        }
    }

    private Object value(String type, String path, String kind, Object value) {
        if (value instanceof String text) {
            return annotation(member, kind, type, path, text);
        }
        if (value instanceof AnnotationNode inner) {
            values(inner, type, path);
        } else if (value instanceof List<?> list) {
            List<Object> items = new ArrayList<>(list);
            ListIterator<Object> each = items.listIterator();
            while (each.hasNext()) {
                int index = each.nextIndex();
                each.set(value(type, path + "[" + index + "]", kind, each.next()));
            }
            return items;
        }
        return value;
    }
}
