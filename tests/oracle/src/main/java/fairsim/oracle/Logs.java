package fairsim.oracle;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Collects what Hadoop logs at WARN and above, so that an answer can carry it.
 *
 * <p>All of Hadoop's loggers end in java.util.logging here: slf4j by its jdk14 binding, commons
 * logging by a system property that the run script sets.
 */
final class Logs extends Handler {
  private static final int MOST = 100;
  // Strong references: java.util.logging forgets the level of a logger nobody holds.
  private static final Logger ROOT = Logger.getLogger("");
  private final Map<String, Map<String, Object>> seen =
      new LinkedHashMap<String, Map<String, Object>>();

  static Logs install() {
    for (Handler handler : ROOT.getHandlers()) {
      ROOT.removeHandler(handler);
    }
    Logs logs = new Logs();
    logs.setLevel(Level.WARNING);
    ROOT.addHandler(logs);
    ROOT.setLevel(Level.WARNING);
    return logs;
  }

  synchronized void clear() {
    seen.clear();
  }

  /** Distinct messages in order of first appearance, each with its count. */
  synchronized List<Object> drain() {
    List<Object> list = new ArrayList<Object>(seen.values());
    seen.clear();
    return list;
  }

  @Override
  public synchronized void publish(LogRecord record) {
    if (record.getLevel().intValue() < Level.WARNING.intValue()) {
      return;
    }
    String name = String.valueOf(record.getLoggerName());
    name = name.substring(name.lastIndexOf('.') + 1);
    String level = record.getLevel() == Level.SEVERE ? "error" : "warn";
    Throwable thrown = record.getThrown();
    String key = level + name + record.getMessage() + thrown;
    Map<String, Object> entry = seen.get(key);
    if (entry != null) {
      entry.put("count", (Integer) entry.get("count") + 1);
    } else if (seen.size() < MOST) {
      entry = new LinkedHashMap<String, Object>();
      entry.put("level", level);
      entry.put("logger", name);
      entry.put("message", record.getMessage());
      if (thrown != null) {
        entry.put("thrown", Answers.chain(thrown));
      }
      entry.put("count", 1);
      seen.put(key, entry);
    }
  }

  @Override
  public void flush() {
  }

  @Override
  public void close() {
  }
}
