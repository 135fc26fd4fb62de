// Reads and writes with the JDK itself: object streams, DataInput and DataOutput.

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;

class Jdk {
    public static void main(String[] arguments) throws Exception {
        new Peer("Java " + Runtime.version())
            .add("data", text -> {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                new DataOutputStream(out).writeUTF(text);
                return out.toByteArray();
            }, bytes -> {
                ByteArrayInputStream in = new ByteArrayInputStream(bytes);
                return new Peer.Frame(new DataInputStream(in).readUTF(), bytes.length - in.available());
            })
            .add("object", text -> {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                ObjectOutputStream objects = new ObjectOutputStream(out);
                objects.writeObject(text);
                objects.close();
                return out.toByteArray();
            }, bytes -> {
                ByteArrayInputStream in = new ByteArrayInputStream(bytes);
                // The stream reads ahead, so the rest of the input shows nothing.
                return new Peer.Frame((String) new ObjectInputStream(in).readObject(), bytes.length);
            })
            .serve();
    }
}
