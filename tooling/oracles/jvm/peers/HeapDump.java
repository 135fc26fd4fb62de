// HPROF. `write` defines a class with a field that has the text for a name, and answers with the path of a heap
// dump: texts are collected until an empty one comes. `read` is what NetBeans' profiler makes of a dump.

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.netbeans.lib.profiler.heap.FieldValue;
import org.netbeans.lib.profiler.heap.HeapFactory;

class HeapDump {
    private static final List<Class<?>> CLASSES = new ArrayList<>();
    private static final List<String> NAMES = new ArrayList<>();

    private static final class Loader extends ClassLoader {
        Class<?> define(String name, byte[] file) {
            return defineClass(name, file, 0, file.length);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        new Peer("HotSpot " + Runtime.version())
            .add("names", text -> {
                if (!text.isEmpty()) {
                    NAMES.add(text);
                    return new byte[0];
                }
                Class<?> type = new Loader().define("Names", classFile("Names", NAMES));
                // Symbols are those of classes that are loaded and linked.
                Class.forName(type.getName(), true, type.getClassLoader());
                CLASSES.add(type);
                Path file = folder.resolve("dump.hprof");
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(file.toString(), true);
                return file.toString().getBytes(StandardCharsets.UTF_8);
            }, bytes -> {
                File file = new File(new String(bytes, StandardCharsets.UTF_8));
                StringBuilder names = new StringBuilder();
                for (Object field : HeapFactory.createHeap(file).getJavaClassByName("Names").getStaticFieldValues()) {
                    names.append(((FieldValue) field).getField().getName()).append('/');
                }
                return new Peer.Frame(names.toString(), 0);
            })
            .serve();
    }

    /** A class with static fields of type int. */
    private static byte[] classFile(String name, List<String> fields) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(file);
        out.writeInt(0xCAFEBABE);
        out.writeInt(61);
        out.writeShort(fields.size() + 6);
        for (String constant : List.of(name, "java/lang/Object", "I")) { // 1, 2, 3
            out.writeByte(1);
            out.writeUTF(constant);
        }
        for (int index : new int[] {1, 2}) { // 4, 5: classes
            out.writeByte(7);
            out.writeShort(index);
        }
        for (String field : fields) { // from 6 on
            out.writeByte(1);
            out.writeUTF(field);
        }
        out.writeShort(0x0021);
        out.writeShort(4);
        out.writeShort(5);
        out.writeShort(0);
        out.writeShort(fields.size());
        for (int i = 0; i < fields.size(); i++) {
            out.writeShort(0x0009);
            out.writeShort(6 + i);
            out.writeShort(3);
            out.writeShort(0);
        }
        out.writeShort(0);
        out.writeShort(0);
        return file.toByteArray();
    }
}
