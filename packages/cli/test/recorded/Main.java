import java.io.Serializable;
import java.util.function.Supplier;

@SuppressWarnings({"first", "second"})
@Deprecated(since = "old")
public class Main {
  static final String FIELD = "held by a field";
  enum Colour { RED, GREEN }
  record Point(int x, int y) {}

  static int choose(String text) {
    switch (text) {
      case "label": return 1;
      default: return 0;
    }
  }

  public static void main(String[] arguments) {
    System.out.println("loaded twice");
    System.out.println("loaded twice");
    System.out.println("joined with " + arguments.length);
    Supplier<String> supplier = (Supplier<String> & Serializable) () -> "in a lambda";
  }
}
