// A string tag of Minecraft's Bedrock edition whose name is empty, by Cloudburst: as files have it, and as
// the network has it.

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.Function;
import org.cloudburstmc.nbt.util.stream.LittleEndianDataInputStream;
import org.cloudburstmc.nbt.util.stream.LittleEndianDataOutputStream;
import org.cloudburstmc.nbt.util.stream.NetworkDataInputStream;
import org.cloudburstmc.nbt.util.stream.NetworkDataOutputStream;

class BedrockNbt {
    public static void main(String[] arguments) throws Exception {
        Peer peer = new Peer("Cloudburst NBT");
        add(peer, "file", LittleEndianDataOutputStream::new, LittleEndianDataInputStream::new);
        add(peer, "network", NetworkDataOutputStream::new, NetworkDataInputStream::new);
        peer.serve();
    }

    private static void add(
        Peer peer, String name, Function<OutputStream, DataOutput> writer, Function<InputStream, DataInput> reader) {
        peer.add(name, text -> {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            writer.apply(out).writeUTF(text);
            return out.toByteArray();
        }, bytes -> {
            ByteArrayInputStream in = new ByteArrayInputStream(bytes);
            return new Peer.Frame(reader.apply(in).readUTF(), bytes.length - in.available());
        });
    }
}
