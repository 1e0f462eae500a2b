package fairsim.oracle;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The little JSON that the oracle needs.
 *
 * <p>Own code because every Hadoop line brings a different JSON library under a different package
 * name, and because integers must stay 64-bit integers: 9223372036854775807 is an everyday value.
 * Objects keep their order. Floats that JSON cannot write become the strings NaN, Infinity and
 * -Infinity.
 */
final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  static Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value();
    json.blanks();
    if (json.at != text.length()) {
      throw json.bad("text after the value");
    }
    return value;
  }

  private IllegalArgumentException bad(String what) {
    return new IllegalArgumentException("JSON: " + what + " at character " + at);
  }

  private void blanks() {
    while (at < text.length() && text.charAt(at) <= ' ') {
      at++;
    }
  }

  private char peek() {
    blanks();
    if (at >= text.length()) {
      throw bad("unexpected end");
    }
    return text.charAt(at);
  }

  private boolean take(char c) {
    if (peek() == c) {
      at++;
      return true;
    }
    return false;
  }

  private void need(char c) {
    if (!take(c)) {
      throw bad("expected " + c);
    }
  }

  private Object value() {
    char c = peek();
    switch (c) {
      case '{': {
        Map<String, Object> map = new LinkedHashMap<String, Object>();
        at++;
        if (take('}')) {
          return map;
        }
        do {
          peek();
          String key = string();
          need(':');
          map.put(key, value());
        } while (take(','));
        need('}');
        return map;
      }
      case '[': {
        List<Object> list = new ArrayList<Object>();
        at++;
        if (take(']')) {
          return list;
        }
        do {
          list.add(value());
        } while (take(','));
        need(']');
        return list;
      }
      case '"':
        return string();
      default:
        return word();
    }
  }

  private String string() {
    if (text.charAt(at) != '"') {
      throw bad("expected a string");
    }
    at++;
    StringBuilder out = new StringBuilder();
    while (true) {
      if (at >= text.length()) {
        throw bad("unterminated string");
      }
      char c = text.charAt(at++);
      if (c == '"') {
        return out.toString();
      }
      if (c != '\\') {
        out.append(c);
        continue;
      }
      c = text.charAt(at++);
      switch (c) {
        case 'n': out.append('\n'); break;
        case 't': out.append('\t'); break;
        case 'r': out.append('\r'); break;
        case 'b': out.append('\b'); break;
        case 'f': out.append('\f'); break;
        case 'u':
          out.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
          at += 4;
          break;
        default: out.append(c);
      }
    }
  }

  private Object word() {
    int start = at;
    while (at < text.length() && ",]}:".indexOf(text.charAt(at)) < 0 && text.charAt(at) > ' ') {
      at++;
    }
    String word = text.substring(start, at);
    switch (word) {
      case "true": return Boolean.TRUE;
      case "false": return Boolean.FALSE;
      case "null": return null;
      // Python's json module writes these three bare.
      case "NaN": return Double.NaN;
      case "Infinity": return Double.POSITIVE_INFINITY;
      case "-Infinity": return Double.NEGATIVE_INFINITY;
      default:
    }
    try {
      if (word.indexOf('.') < 0 && word.indexOf('e') < 0 && word.indexOf('E') < 0) {
        return Long.valueOf(word);
      }
      return Double.valueOf(word);
    } catch (NumberFormatException e) {
      at = start;
      throw bad("not a value: " + word);
    }
  }

  static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out) {
    if (value == null || value instanceof Boolean || value instanceof Integer
        || value instanceof Long) {
      out.append(value);
    } else if (value instanceof Number) {
      // A float is widened first: the double's shortest text names the float exactly.
      double d = ((Number) value).doubleValue();
      if (Double.isNaN(d) || Double.isInfinite(d)) {
        quote(Double.toString(d), out);
      } else {
        out.append(d);
      }
    } else if (value instanceof Map) {
      char before = '{';
      for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
        out.append(before);
        before = ',';
        quote(String.valueOf(entry.getKey()), out);
        out.append(':');
        write(entry.getValue(), out);
      }
      out.append(before == '{' ? "{}" : "}");
    } else if (value instanceof Collection) {
      char before = '[';
      for (Object item : (Collection<?>) value) {
        out.append(before);
        before = ',';
        write(item, out);
      }
      out.append(before == '[' ? "[]" : "]");
    } else {
      quote(value.toString(), out);
    }
  }

  private static void quote(String s, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < s.length(); i++) {
      char c = s.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        // ASCII only, so no console or pipe encoding can change an answer.
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
