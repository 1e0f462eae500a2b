package fairsim.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;

/** A timer that rings when the clock of the case has come so far, on the thread of the case. */
final class StepTimer extends Timer {
  private final World.StepClock clock;
  private final Listener listener;
  private final List<TimerTask> tasks = new ArrayList<TimerTask>();
  private final List<Long> due = new ArrayList<Long>();

  interface Listener {
    void scheduled(TimerTask task, long due);
  }

  StepTimer(World.StepClock clock, Listener listener) {
    super(true);
    cancel(); // its own thread is not wanted
    this.clock = clock;
    this.listener = listener;
  }

  @Override
  public void schedule(TimerTask task, long delay) {
    tasks.add(task);
    due.add(clock.now + delay);
    listener.scheduled(task, clock.now + delay);
  }

  /** Sets the clock, stopping on the way at each task that falls due. Earlier first, then older. */
  void advance(long to) {
    for (;;) {
      int next = -1;
      for (int i = 0; i < due.size(); i++) {
        if (due.get(i) <= to && (next < 0 || due.get(i) < due.get(next))) {
          next = i;
        }
      }
      if (next < 0) {
        break;
      }
      clock.now = Math.max(clock.now, due.remove(next));
      tasks.remove(next).run();
    }
    clock.now = Math.max(clock.now, to);
  }
}
