package dev.hearth.hadoopclient.internal;

import dev.hearth.spi.kernel.Logs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Loggers of Hadoop whose warnings say nothing to users: there is no native code in the bundle, and the thread that the
 * end interrupts says so. Levels that users have set stay. Used by one thread.
 */
final class QuietLoggers {
    private static final String NATIVE_CODE = "org.apache.hadoop.util.NativeCodeLoader";
    private static final String CLEANER = "org.apache.hadoop.fs.FileSystem";
    private static final String TICKETS = "org.apache.hadoop.security.UserGroupInformation";
    private static final String QUIET = "ERROR";

    private final Optional<Logs> logs;
    private final List<String> changed = new ArrayList<>();

    QuietLoggers(Optional<Logs> logs) {
        this.logs = logs;
    }

    void atStart() {
        quieten(NATIVE_CODE);
    }

    void atEnd() {
        quieten(CLEANER);
        quieten(TICKETS);
    }

    private void quieten(String logger) {
        logs.filter(found -> !found.levels().containsKey(logger)).ifPresent(found -> {
            found.setLevel(logger, QUIET);
            changed.add(logger);
        });
    }

    /** Removes the levels, after the end. */
    void restore() {
        logs.ifPresent(found -> changed.forEach(logger -> found.setLevel(logger, "")));
        changed.clear();
    }
}
