package fairsim.oracle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.apache.hadoop.security.GroupMappingServiceProvider;

/** The groups of users as the case gives them, primary group first. */
public final class Groups implements GroupMappingServiceProvider {
  static final Map<String, List<String>> OF_USER = new HashMap<String, List<String>>();

  @Override
  public List<String> getGroups(String user) {
    List<String> groups = OF_USER.get(user);
    return groups == null ? new ArrayList<String>() : groups;
  }

  // In 3.4 the interface has this one too; elsewhere it is a method like any other.
  public Set<String> getGroupsSet(String user) {
    return new LinkedHashSet<String>(getGroups(user));
  }

  @Override
  public void cacheGroupsRefresh() {
  }

  @Override
  public void cacheGroupsAdd(List<String> groups) {
  }
}
