package dev.hearth.spi.monitor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many attempts at tasks are under way, and how many have ended how. {@code killed} counts all that count for nothing:
 * told to end, not allowed to publish, taken back; with the reasons of those that were told singly.
 */
public record TaskCounts(int active, int succeeded, int failed, int killed, Map<String, Integer> killedFor) {
    public TaskCounts {
        killedFor = Collections.unmodifiableMap(new LinkedHashMap<>(killedFor));
    }
}
