package dev.hearth.spi.monitor;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Number of running and ended task attempts by outcome. {@code killed} counts attempts without an effect: they were
 * killed, denied to commit, or recalled from an executor's queue. {@code killedFor} counts killed attempts by reason,
 * as far as they were reported individually.
 */
public record TaskCounts(int active, int succeeded, int failed, int killed, Map<String, Integer> killedFor) {
    public TaskCounts {
        killedFor = Collections.unmodifiableMap(new LinkedHashMap<>(killedFor));
    }
}
