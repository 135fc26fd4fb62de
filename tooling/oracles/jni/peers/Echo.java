/** Prints the code units of its arguments, and then U+00E9, U+1F600 and an unpaired surrogate. */
public class Echo {
  public static void main(String[] arguments) {
    for (String argument : arguments) {
      StringBuilder units = new StringBuilder();
      argument.chars().forEach(unit -> units.append(String.format("%04X ", unit)));
      System.out.println(units.toString().trim());
    }
    System.out.println("\u00e9\ud83d\ude00\ud83d");
  }
}
