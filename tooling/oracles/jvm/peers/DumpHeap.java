// Dumps the heap of a JVM, with symbols of other scripts in it: java DumpHeap.java FILE.

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

public class DumpHeap {
    static int 한글 = 1;
    static int 𝒳𝒴 = 2;

    static void çà() {
    }

    public static void main(String[] arguments) throws Exception {
        çà();
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(arguments[0], true);
    }
}
