package fairsim.oracle;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import org.apache.hadoop.security.authorize.AccessControlList;
import org.apache.hadoop.yarn.api.records.Resource;

/** Hadoop's values as plain maps and lists, ready for {@link Json}. */
final class Answers {
  private Answers() {
  }

  /** Type name to value; unlimited stays the number that the scheduler holds. */
  static Map<String, Object> resource(Resource resource) {
    if (resource == null) {
      return null;
    }
    Map<String, Object> map = new LinkedHashMap<String, Object>();
    Object all = Reflect.callIfThere(resource, "getResources");
    if (all instanceof Object[]) {
      for (Object information : (Object[]) all) {
        map.put((String) Reflect.call(information, "getName"),
            Reflect.call(information, "getValue"));
      }
    } else {
      map.put("memory-mb", memory(resource));
      map.put("vcores", (long) resource.getVirtualCores());
    }
    return map;
  }

  static long memory(Resource resource) {
    Object wide = Reflect.callIfThere(resource, "getMemorySize");
    return wide != null ? (Long) wide : ((Number) Reflect.call(resource, "getMemory")).longValue();
  }

  static List<Object> chain(Throwable thrown) {
    List<Object> chain = new ArrayList<Object>();
    for (Throwable t = thrown; t != null && chain.size() < 10; t = t.getCause()) {
      Map<String, Object> link = new LinkedHashMap<String, Object>();
      link.put("class", t.getClass().getName());
      link.put("message", t.getMessage());
      chain.add(link);
    }
    return chain;
  }

  /** Class and message of the exception and of its root cause, the whole chain, where it rose. */
  static Map<String, Object> error(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    Map<String, Object> map = new LinkedHashMap<String, Object>();
    map.put("class", thrown.getClass().getName());
    map.put("message", thrown.getMessage());
    map.put("root_class", root.getClass().getName());
    map.put("root_message", root.getMessage());
    map.put("chain", chain(thrown));
    map.put("at", frames(root.getStackTrace(), 6));
    return map;
  }

  static List<Object> frames(StackTraceElement[] stack, int most) {
    List<Object> frames = new ArrayList<Object>();
    for (int i = 0; i < stack.length && i < most; i++) {
      frames.add(stack[i].toString());
    }
    return frames;
  }

  static Map<String, Object> acl(AccessControlList list) {
    Map<String, Object> map = new LinkedHashMap<String, Object>();
    map.put("all", list.isAllAllowed());
    map.put("users", new TreeSet<String>(list.getUsers()));
    map.put("groups", new TreeSet<String>(list.getGroups()));
    return map;
  }

  static List<String> strings(Collection<?> values) {
    List<String> list = new ArrayList<String>();
    for (Object value : values) {
      list.add(String.valueOf(value));
    }
    return list;
  }
}
