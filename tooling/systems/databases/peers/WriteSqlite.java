import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.Statement;

/** Writes an SQLite database by JDBC, with strings that its driver encodes: java WriteSqlite.java FILE */
class WriteSqlite {
  static final String[] TEXTS = {
    "plain", "", "\u00e9\u20ac", "\ud83d\ude00", "a\u0000b", "\ud83d", "\ude00 \ud83d", "\u0000\ud83d\ude00\ud83d\ude00",
  };

  public static void main(String[] args) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + args[0])) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE messages (id INTEGER PRIMARY KEY, body TEXT, tag TEXT UNIQUE, data BLOB)");
      }
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO messages (body, tag, data) VALUES (?, ?, ?)")) {
        for (int i = 0; i < TEXTS.length; i++) {
          insert.setString(1, TEXTS[i]);
          insert.setString(2, i + TEXTS[i]);
          insert.setBytes(3, new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0xbd, (byte) 0xed, (byte) 0xb8, (byte) 0x80});
          insert.executeUpdate();
        }
      }
    }
  }
}
