// Strings of Hadoop: Text, and UTF8, which it replaced.

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.UTF8;

@SuppressWarnings("deprecation")
class Hadoop {
    public static void main(String[] arguments) throws Exception {
        new Peer("Hadoop")
            .add("text", text -> {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                Text.writeString(new DataOutputStream(out), text);
                return out.toByteArray();
            }, bytes -> {
                ByteArrayInputStream in = new ByteArrayInputStream(bytes);
                return new Peer.Frame(Text.readString(new DataInputStream(in)), bytes.length - in.available());
            })
            .add("utf8", text -> {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                UTF8.writeString(new DataOutputStream(out), text);
                return out.toByteArray();
            }, bytes -> {
                ByteArrayInputStream in = new ByteArrayInputStream(bytes);
                return new Peer.Frame(UTF8.readString(new DataInputStream(in)), bytes.length - in.available());
            })
            .serve();
    }
}
