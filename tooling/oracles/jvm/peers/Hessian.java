// Strings of Hessian 2.

import com.caucho.hessian.io.Hessian2Input;
import com.caucho.hessian.io.Hessian2Output;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;

class Hessian {
    public static void main(String[] arguments) throws Exception {
        new Peer("Hessian 2")
            .add("string", text -> {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                Hessian2Output hessian = new Hessian2Output(out);
                hessian.writeString(text);
                hessian.flush();
                return out.toByteArray();
            }, bytes -> {
                Hessian2Input hessian = new Hessian2Input(new ByteArrayInputStream(bytes));
                String text = hessian.readString();
                int rest = 0;
                while (hessian.read() >= 0) {
                    rest++;
                }
                return new Peer.Frame(text, bytes.length - rest);
            })
            .serve();
    }
}
