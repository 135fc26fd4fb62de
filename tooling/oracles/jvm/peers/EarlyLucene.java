// Strings of Lucene up to 2.3, which counted them in code units.

import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.RAMDirectory;

class EarlyLucene {
    public static void main(String[] arguments) throws Exception {
        new Peer("Lucene 2.3")
            .add("string", text -> {
                RAMDirectory folder = new RAMDirectory();
                IndexOutput out = folder.createOutput("file");
                out.writeString(text);
                out.close();
                IndexInput in = folder.openInput("file");
                byte[] bytes = new byte[(int) in.length()];
                in.readBytes(bytes, 0, bytes.length);
                return bytes;
            }, bytes -> {
                RAMDirectory folder = new RAMDirectory();
                IndexOutput out = folder.createOutput("file");
                out.writeBytes(bytes, bytes.length);
                out.close();
                IndexInput in = folder.openInput("file");
                String text = in.readString();
                return new Peer.Frame(text, in.getFilePointer());
            })
            .serve();
    }
}
