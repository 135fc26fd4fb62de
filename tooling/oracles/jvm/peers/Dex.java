// Strings of DEX files, by dexlib2: a file with one field that has the text as its value, and the first
// string of a file.

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import org.jf.dexlib2.Opcodes;
import org.jf.dexlib2.dexbacked.DexBackedDexFile;
import org.jf.dexlib2.immutable.ImmutableClassDef;
import org.jf.dexlib2.immutable.ImmutableField;
import org.jf.dexlib2.immutable.value.ImmutableStringEncodedValue;
import org.jf.dexlib2.writer.io.MemoryDataStore;
import org.jf.dexlib2.writer.pool.DexPool;

class Dex {
    public static void main(String[] arguments) throws Exception {
        Opcodes opcodes = Opcodes.getDefault();
        new Peer("dexlib2")
            .add("string", text -> {
                DexPool pool = new DexPool(opcodes);
                pool.internClass(new ImmutableClassDef("LC;", 1, null, null, null, ImmutableSet.of(), ImmutableList.of(
                    new ImmutableField(
                        "LC;", "f", "Ljava/lang/String;", 9, new ImmutableStringEncodedValue(text), null, null)
                ), null));
                MemoryDataStore store = new MemoryDataStore();
                pool.writeTo(store);
                return store.getData();
            }, bytes -> new Peer.Frame(
                new DexBackedDexFile(opcodes, bytes).getStringSection().get(0), bytes.length))
            .serve();
    }
}
