package fairsim.oracle;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The placement rules that are in force. */
final class Placement {
  private Placement() {
  }

  /** The policy that places apps inside the scheduler, to 3.2; null where rules stand before it. */
  static Object policy(World world) {
    Object config = world.scheduler.getAllocationConfiguration();
    return Reflect.hasField(config.getClass(), "placementPolicy")
        ? Reflect.get(config, "placementPolicy") : null;
  }

  static List<Object> rules(World world) {
    Object policy = policy(world);
    List<?> rules = policy != null
        ? (List<?>) Reflect.get(policy, "rules")
        : (List<?>) Reflect.get(Reflect.call(world.context, "getQueuePlacementManager"), "rules");
    List<Object> list = new ArrayList<Object>();
    for (Object rule : rules) {
      list.add(rule(rule));
    }
    return list;
  }

  private static Map<String, Object> rule(Object rule) {
    Map<String, Object> map = new LinkedHashMap<String, Object>();
    map.put("class", rule.getClass().getSimpleName());
    for (String flag : new String[] {"create", "createQueue"}) {
      if (Reflect.hasField(rule.getClass(), flag)) {
        map.put("create", Reflect.get(rule, flag));
      }
    }
    for (String queue : new String[] {"defaultQueueName", "defaultQueue"}) {
      if (Reflect.hasField(rule.getClass(), queue)) {
        map.put("queue", Reflect.get(rule, queue));
      }
    }
    for (String parent : new String[] {"nestedRule", "parentRule"}) {
      if (Reflect.hasField(rule.getClass(), parent) && Reflect.get(rule, parent) != null) {
        map.put("parent", rule(Reflect.get(rule, parent)));
      }
    }
    return map;
  }
}
