// Strings of Lucene's DataOutput.

import java.io.ByteArrayOutputStream;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.OutputStreamDataOutput;
import org.apache.lucene.util.Version;

class Lucene {
    public static void main(String[] arguments) throws Exception {
        new Peer("Lucene " + Version.LATEST)
            .add("string", text -> {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                new OutputStreamDataOutput(out).writeString(text);
                return out.toByteArray();
            }, bytes -> {
                ByteArrayDataInput in = new ByteArrayDataInput(bytes);
                return new Peer.Frame(in.readString(), in.getPosition());
            })
            .serve();
    }
}
