package dev.hearth.yarn.internal.submission;

import java.util.Map;

/** Users who may see or end an application: its owner. YARN adds the administrators of the cluster. Pure. */
public final class AccessLists {
    private AccessLists() {}

    /** The lists of an application of {@code owner}, by their names at YARN. */
    public static Map<String, String> of(String owner) {
        return Map.of("VIEW_APP", owner, "MODIFY_APP", owner);
    }
}
