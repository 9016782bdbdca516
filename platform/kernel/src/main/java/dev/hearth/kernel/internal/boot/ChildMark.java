package dev.hearth.kernel.internal.boot;

import java.util.Map;

/** Mark in the environment of a process without a parent, by which the processes that it forks are found. Stateless. */
final class ChildMark {
    /**
     * System property by which bin/hearth says that the processes which this one forks have a mark of their own in the
     * environment.
     */
    private static final String MARK = "hearth.childMark";

    private static final String MARK_VARIABLE = "HEARTH_CHILD";

    private ChildMark() {}

    /** Whether the environment of this process marks the processes that it forks, and only these. */
    static boolean isSet(Map<String, String> environment) {
        String mark = System.getProperty(MARK, "");
        return !mark.isEmpty() && mark.equals(environment.get(MARK_VARIABLE));
    }
}
