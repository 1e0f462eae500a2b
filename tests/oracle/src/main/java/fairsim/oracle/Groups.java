package fairsim.oracle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.GroupMappingServiceProvider;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The groups of users as the case gives them, primary group first.
 *
 * <p>This is what a group mapping is to Hadoop; its own cache, its static overrides and what it
 * makes of a user without groups lie in front of it and are real.
 */
public final class Groups implements GroupMappingServiceProvider {
  private static final Map<String, List<String>> OF_USER = new HashMap<String, List<String>>();

  /** Makes Hadoop ask this class, with the settings of the case and an empty cache. */
  static void install(Configuration conf) {
    OF_USER.clear();
    org.apache.hadoop.security.Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(conf);
    UserGroupInformation.setConfiguration(conf);
  }

  /** Sets the groups of a user from now on; null means that looking them up fails. */
  static void set(World world, String user, List<?> groups) {
    List<String> known = groups == null ? null : Answers.strings(groups);
    if (OF_USER.containsKey(user) && same(OF_USER.get(user), known)) {
      return;
    }
    OF_USER.put(user, known);
    org.apache.hadoop.security.Groups.getUserToGroupsMappingService().refresh();
    Object policy = Placement.policy(world);
    if (policy != null) { // up to 3.2 it has a cache of its own
      ((org.apache.hadoop.security.Groups) Reflect.get(policy, "groups")).refresh();
    }
  }

  private static boolean same(List<String> a, List<String> b) {
    return a == null ? b == null : a.equals(b);
  }

  @Override
  public List<String> getGroups(String user) throws IOException {
    if (OF_USER.containsKey(user) && OF_USER.get(user) == null) {
      throw new IOException("the group mapping of the oracle fails for " + user);
    }
    return OF_USER.containsKey(user) ? new ArrayList<String>(OF_USER.get(user))
        : new ArrayList<String>();
  }

  // In 3.4 the interface has this one too; elsewhere it is a method like any other.
  public Set<String> getGroupsSet(String user) throws IOException {
    return new LinkedHashSet<String>(getGroups(user));
  }

  @Override
  public void cacheGroupsRefresh() {
  }

  @Override
  public void cacheGroupsAdd(List<String> groups) {
  }
}
