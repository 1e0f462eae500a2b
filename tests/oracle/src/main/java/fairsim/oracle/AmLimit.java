package fairsim.oracle;

import java.util.LinkedHashMap;
import java.util.Map;

import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSLeafQueue;

/** The most that the application masters of a leaf may use together. */
final class AmLimit {
  private AmLimit() {
  }

  static Map<String, Object> of(FSLeafQueue leaf) {
    if (Reflect.has(leaf, "computeMaxAMResource")) {
      return Answers.resource((Resource) Reflect.call(leaf, "computeMaxAMResource"));
    }
    // 2.8 and older have no such method, only the question "may this AM run?", so ask it.
    Map<String, Object> map = new LinkedHashMap<String, Object>();
    map.put("memory-mb", largest(leaf, true));
    map.put("vcores", largest(leaf, false));
    return map;
  }

  /** The largest size of one type that is let in; 2147483647 where the type is not looked at. */
  private static long largest(FSLeafQueue leaf, boolean memory) {
    if (!fits(leaf, memory, 0)) {
      return -1;
    }
    long fits = 0;
    long tooMuch = 1L + Integer.MAX_VALUE;
    while (tooMuch - fits > 1) {
      long middle = (fits + tooMuch) >>> 1;
      if (fits(leaf, memory, middle)) {
        fits = middle;
      } else {
        tooMuch = middle;
      }
    }
    return fits;
  }

  private static boolean fits(FSLeafQueue leaf, boolean memory, long size) {
    int value = (int) size;
    return leaf.canRunAppAM(Resource.newInstance(memory ? value : 0, memory ? 0 : value));
  }
}
