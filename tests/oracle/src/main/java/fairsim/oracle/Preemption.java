package fairsim.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.PriorityBlockingQueue;

import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;

/**
 * Preemption by hand.
 *
 * <p>From 2.9 on a thread of its own waits for starved apps and a timer kills what it chose. Here
 * the very loop of that thread is run on the thread of the case: its queue says "interrupted"
 * when it is empty, where the real one would wait, and that ends the loop. Up to 2.8 the update
 * thread does it all in one method.
 */
final class Preemption {
  private final World world;
  private final Watch watch;
  private final Object thread;
  private final StepTimer timer;
  private List<Object> warned = new ArrayList<Object>();

  Preemption(World world, Watch watch) {
    this.world = world;
    this.watch = watch;
    thread = thread(world);
    timer = new StepTimer(world.clock, new StepTimer.Listener() {
      @Override
      public void scheduled(TimerTask task, long due) {
        marked(task, due);
      }
    });
    if (thread != null) {
      ((Timer) Reflect.get(thread, "preemptionTimer")).cancel();
      Reflect.set(thread, "preemptionTimer", timer);
      Object starved = starved();
      PriorityBlockingQueue<?> queue =
          (PriorityBlockingQueue<?>) Reflect.get(starved, "appsToProcess");
      Reflect.set(starved, "appsToProcess", new Dry(queue));
    }
  }

  private static Object thread(World world) {
    return Reflect.hasField(world.scheduler.getClass(), "preemptionThread")
        ? Reflect.get(world.scheduler, "preemptionThread") : null;
  }

  /** Ends the timer of a scheduler that is thrown away; its thread would stay for ever. */
  static void forget(World world) {
    Object thread = thread(world);
    if (thread != null) {
      ((Timer) Reflect.get(thread, "preemptionTimer")).cancel();
    }
  }

  private Object starved() {
    return Reflect.call(Reflect.call(world.scheduler, "getContext"), "getStarvedApps");
  }

  /** A queue of starved apps that never waits. */
  private static final class Dry extends PriorityBlockingQueue<Object> {
    @SuppressWarnings("unchecked")
    Dry(PriorityBlockingQueue<?> real) {
      super(10, (java.util.Comparator<Object>) real.comparator());
    }

    @Override
    public Object take() throws InterruptedException {
      Object first = poll();
      if (first == null) {
        throw new InterruptedException();
      }
      return first;
    }
  }

  /** One round: all apps that wait for the thread are served. */
  void step() {
    if (Reflect.has(world.scheduler, "preemptTasksIfNecessary")) { // up to 2.8
      Reflect.call(world.scheduler, "preemptTasksIfNecessary");
      warned();
    } else if (thread != null) {
      Reflect.call(thread, Reflect.has(thread, "work") ? "work" : "run");
      Thread.interrupted(); // the loop leaves the mark by which it ended
    }
  }

  void advance(long to) {
    timer.advance(to);
  }

  private void marked(TimerTask task, long due) {
    List<?> containers = (List<?>) Reflect.get(task, "containers");
    FSAppAttempt by = (FSAppAttempt) Reflect.get(starved(), "appBeingProcessed");
    watch.marked(new ArrayList<Object>(containers), by, due);
  }

  /** Up to 2.8: what was put on the list of warned containers, and what was let off again. */
  private void warned() {
    List<Object> now = new ArrayList<Object>(
        (List<?>) Reflect.get(world.scheduler, "warnedContainers"));
    for (Object before : warned) {
      if (!now.contains(before)) {
        watch.spared((RMContainer) before);
      }
    }
    List<Object> fresh = new ArrayList<Object>(now);
    fresh.removeAll(warned);
    watch.marked(fresh, null, 0);
    warned = now;
  }
}
