package dev.hearth.engine.internal.scheduler;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of pending tasks of one task set by preferred host. The counts are brought up to date when they are read, so
 * that launches and ends of tasks cost nothing; a read examines the tasks that have changed since the last one. Owned
 * by {@link TaskSet}.
 */
final class PreferredHostCounts {
    private final PendingTasksByLocality preferences;
    private final Map<String, int[]> byHost = new LinkedHashMap<>(); // arrays of length 1
    private int tasks;
    private byte @Nullable [] counted; // states of the tasks at the last read; null while all tasks count as pending

    /** Counts all tasks of a new task set, which are all pending. {@code size} is their number. */
    PreferredHostCounts(PendingTasksByLocality preferences, int size) {
        this.preferences = preferences;
        this.tasks = size - preferences.noPreference().size();
        preferences.byHost().forEach((host, list) -> byHost.put(host, new int[] {list.size()}));
    }

    /** Brings the counts up to date. {@code states} has an element for each task, which is 0 if the task is pending. */
    void update(byte[] states) {
        byte[] before = counted == null ? new byte[states.length] : counted;
        counted = before;
        int from = 0;
        for (int next = mismatch(before, states, from); next >= 0; next = mismatch(before, states, from)) {
            int index = from + next;
            boolean pending = states[index] == 0;
            if (pending != (before[index] == 0)) {
                count(index, pending ? 1 : -1);
            }
            before[index] = states[index];
            from = index + 1;
        }
    }

    private static int mismatch(byte[] one, byte[] other, int from) {
        return Arrays.mismatch(one, from, one.length, other, from, other.length);
    }

    private void count(int index, int change) {
        Iterable<String> hosts = preferences.hosts(index);
        boolean any = false;
        for (String host : hosts) {
            any = true;
            byHost.computeIfAbsent(host, absent -> new int[1])[0] += change;
        }
        tasks += any ? change : 0;
    }

    int tasks() {
        return tasks;
    }

    /** Adds the counts of all hosts to {@code sums}. */
    void addTo(Map<String, Integer> sums) {
        byHost.forEach((host, count) -> {
            if (count[0] > 0) {
                sums.merge(host, count[0], Integer::sum);
            }
        });
    }
}
