// Java serialization. `write FILE` writes objects of many kinds; `read FILE` prints what ObjectInputStream meets, a line
// each: class, field and interface names, strings and enum constants, the start of their code units as hexadecimal
// digits, and their lengths.

import java.io.*;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.*;

public class Streams {
    enum Color { RED, GREEN { } }

    static class Base implements Serializable {
        private static final long serialVersionUID = 1;
        String base = "base 😀";
        int number = 1;
    }

    static class Sub extends Base {
        private static final long serialVersionUID = 1;
        String text = "a\0b\ud83d";
        String 한글𝒳 = "";
        String[] list = {"one", null, "one", new String("one"), "two"};
        Object self = this;
        Color color = Color.GREEN;
        long big = 5;
        Class<?> type = String.class;
        int[][] numbers = {{1, 2}, {3}};

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeUTF("data, which are skipped");
            out.writeObject("custom");
            out.write(new byte[2000]);
        }
    }

    static class External implements Externalizable {
        private static final long serialVersionUID = 1;

        public External() {
        }

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeObject("external");
            out.writeInt(3);
        }

        @Override
        public void readExternal(ObjectInput in) {
        }
    }

    static class Node implements Serializable {
        private static final long serialVersionUID = 1;
        Node next;
        String name;
    }

    static class Handler implements InvocationHandler, Serializable {
        private static final long serialVersionUID = 1;

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            return null;
        }
    }

    private static class Input extends ObjectInputStream {
        Input(InputStream in) throws IOException {
            super(in);
            enableResolveObject(true);
        }

        @Override
        protected ObjectStreamClass readClassDescriptor() throws IOException, ClassNotFoundException {
            ObjectStreamClass type = super.readClassDescriptor();
            print("name", type.getName());
            for (ObjectStreamField field : type.getFields()) {
                print("name", field.getName());
            }
            return type;
        }

        @Override
        protected Class<?> resolveProxyClass(String[] names) throws IOException, ClassNotFoundException {
            for (String name : names) {
                print("name", name);
            }
            return super.resolveProxyClass(names);
        }

        @Override
        protected Object resolveObject(Object object) {
            if (object instanceof String) {
                print("value", (String) object);
            } else if (object instanceof Enum) {
                print("enum-constant", ((Enum<?>) object).name());
            }
            return object;
        }
    }

    /** Code units of a text to print; its length follows. */
    private static final int MOST = 40;

    private static void print(String kind, String text) {
        StringBuilder line = new StringBuilder(kind).append(' ');
        text.chars().limit(MOST).forEach(unit -> line.append(String.format("%04x", unit)));
        System.out.println(line.append(' ').append(text.length()));
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("write")) {
            try (ObjectOutputStream out = new ObjectOutputStream(new FileOutputStream(arguments[1]))) {
                write(out);
            }
            return;
        }
        try (Input in = new Input(new BufferedInputStream(new FileInputStream(arguments[1])))) {
            while (true) {
                try {
                    in.readObject();
                } catch (OptionalDataException error) {
                    in.skipBytes(error.length);
                } catch (EOFException end) {
                    return;
                }
            }
        }
    }

    private static void write(ObjectOutputStream out) throws IOException {
        out.writeObject(new Sub());
        out.writeInt(7);
        out.writeObject(new ArrayList<>(List.of("x", "y")));
        out.writeObject(new TreeMap<>(Map.of("key", "value")));
        out.writeObject(new External());
        out.writeObject("é".repeat(32_768));
        out.writeUnshared("unshared");
        out.reset();
        out.writeObject(new Sub());
        ClassLoader loader = Streams.class.getClassLoader();
        Class<?>[] types = {Runnable.class, Comparable.class};
        out.writeObject(Proxy.newProxyInstance(loader, types, new Handler()));
        out.writeObject(Color.RED);
        Node first = null;
        for (int i = 0; i < 50; i++) {
            Node node = new Node();
            node.next = first;
            node.name = "node " + i;
            first = node;
        }
        out.writeObject(first);
        out.writeObject(Locale.KOREA);
    }
}
