// Uses of strings in class files, by ASM: those in code, arguments of bootstrap methods, annotations and
// names of members. ASM reports a bootstrap method once for each call, so there is a line for each caller.

import java.util.HashSet;
import java.util.Set;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;

class AsmUses implements Uses.Finder {
    @Override
    public Uses find(byte[] file) {
        ClassNode node = new ClassNode();
        new ClassReader(file).accept(node, ClassReader.SKIP_FRAMES);
        Uses uses = new Uses(node.name);
        new Walk(uses).walk(node);
        return uses;
    }

    private static class Walk extends AsmWalk {
        private final Uses uses;
        /** Calls from one line are one. */
        private final Set<List<Object>> calls = new HashSet<>();

        Walk(Uses uses) {
            this.uses = uses;
        }

        @Override
        void declared(String member, String name, String descriptor) {
            uses.add(member, "name", name);
            uses.add(member, "descriptor", descriptor);
        }

        @Override
        String code(String member, String kind, int line, String text) {
            uses.addCode(member, kind, line, text);
            return text;
        }

        @Override
        String annotation(String member, String kind, String type, String path, String text) {
            uses.addAnnotation(member, kind, type, path, text);
            return text;
        }

        @Override
        String argument(String kind, String method, int argument, String caller, String text) {
            if (caller != null && calls.add(List.of(kind, method, argument, caller, text))) {
                uses.addArgument(kind, method, argument, List.of(caller), text);
            }
            return text;
        }
    }
}
