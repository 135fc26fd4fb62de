// Strings of Kryo, 4 or 5, whichever is on the class path.

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;

class Kryo {
    public static void main(String[] arguments) throws Exception {
        new Peer("Kryo")
            .add("string", text -> {
                Output out = new Output(1 << 10, -1);
                out.writeString(text);
                return out.toBytes();
            }, bytes -> {
                Input in = new Input(bytes);
                String text = in.readString();
                return new Peer.Frame(text, in.total());
            })
            .serve();
    }
}
