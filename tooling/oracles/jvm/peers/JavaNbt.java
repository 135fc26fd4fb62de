// A file of Minecraft's Java edition, by adventure-nbt: a compound without a name, and in it one string
// whose name is empty.

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import net.kyori.adventure.nbt.BinaryTagIO;
import net.kyori.adventure.nbt.CompoundBinaryTag;

class JavaNbt {
    public static void main(String[] arguments) throws Exception {
        new Peer("adventure-nbt")
            .add("string", text -> {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                BinaryTagIO.writer().write(
                    CompoundBinaryTag.builder().putString("", text).build(), (DataOutput) new DataOutputStream(out));
                return out.toByteArray();
            }, bytes -> {
                ByteArrayInputStream in = new ByteArrayInputStream(bytes);
                CompoundBinaryTag tag = BinaryTagIO.unlimitedReader().read((DataInput) new DataInputStream(in));
                return new Peer.Frame(tag.getString("", null), bytes.length - in.available());
            })
            .serve();
    }
}
