package fairsim.oracle;

import java.util.Map;

import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSLeafQueue;

/**
 * A leaf queue whose weight, min, max and activity are whatever a case says.
 *
 * <p>The steady search takes nothing but real queues. The getters are overridden because a real
 * queue raises its max to its min (2.9 and newer), which would hide half of the search's inputs.
 */
final class Item extends FSLeafQueue {
  private final Map<String, Object> oldWeights;
  private Resource min;
  private Resource max;
  private boolean active;

  @SuppressWarnings("unchecked")
  Item(String name, World world) {
    super(name, world.scheduler, (org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair
        .FSParentQueue) world.root());
    oldWeights = Reflect.hasField(FSLeafQueue.class, "weights") ? null
        : (Map<String, Object>) Reflect.get(
            world.scheduler.getAllocationConfiguration(), "queueWeights");
  }

  void set(float weight, Resource newMin, Resource newMax, boolean newActive) {
    min = newMin;
    max = newMax;
    active = newActive;
    if (oldWeights != null) { // up to 2.8 a queue looks its weight up at every call
      oldWeights.put(getName(), weights(weight));
    } else if (Reflect.has(this, "getWeight")) {
      Reflect.set(this, "weights", weight);
    } else {
      Reflect.set(this, "weights", weights(weight));
    }
  }

  private static Object weights(float weight) {
    return Reflect.create(Reflect.type(
        "org.apache.hadoop.yarn.server.resourcemanager.resource.ResourceWeights"), weight);
  }

  @Override
  public Resource getMinShare() {
    return min == null ? super.getMinShare() : min; // asked by the constructor of the superclass
  }

  @Override
  public Resource getMaxShare() {
    return max == null ? super.getMaxShare() : max;
  }

  @Override
  public boolean isActive() {
    return active;
  }
}
