package dev.hearth.engine.internal.dag;

import java.util.LinkedHashSet;
import java.util.Set;

/** Job groups that were cancelled together with their future jobs; the last ones. Owned by the stage scheduler. */
final class CancelledGroups {
    private final int groupsMax;
    private final Set<String> groups = new LinkedHashSet<>();

    CancelledGroups(int groupsMax) {
        this.groupsMax = groupsMax;
    }

    void add(String group) {
        groups.remove(group);
        groups.add(group);
        if (groups.size() > groupsMax) {
            groups.remove(groups.iterator().next());
        }
    }

    boolean contains(String group) {
        return groups.contains(group);
    }
}
