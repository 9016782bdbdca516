package dev.hearth.spi.kernel;

import dev.hearth.spi.settings.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/** Log levels of this process. Implemented by the module kernel. Any thread may call. */
@ProviderType
public interface Logs {
    /**
     * Levels that are set explicitly, by logger name; other loggers inherit theirs. The root logger is named {@code
     * ROOT}.
     */
    Map<String, String> levels();

    /**
     * Sets the level of a logger and its children: TRACE, DEBUG, INFO, WARN, ERROR or OFF. An empty level removes the
     * explicit level, so that the logger inherits its parent's.
     */
    void setLevel(String logger, String level);

    /**
     * Applies the settings {@code hearth.log.*} among {@code given}, which rank above those with which the process has
     * started: level, levels of loggers, format and file. Fails with {@code BAD_SETTING}.
     */
    default void configure(Settings given) {
        // a process whose log others configure keeps it as it is
    }

    /** Begins to keep the most recent events in memory, up to a limit. Further calls have no effect. */
    default void keepRecent() {}

    /** Returns the kept events whose number is greater than {@code after}, oldest first. */
    default List<LogEvent> recent(long after) {
        return List.of();
    }

    /** As {@link #recent}, but waits for the first event, at most for the time {@code atMost}. */
    default List<LogEvent> awaitRecent(long after, Duration atMost) throws InterruptedException {
        return recent(after);
    }

    /**
     * One event of the log. Numbers grow by one from event to event; {@code text} is the message, followed by the stack
     * trace if there is one.
     */
    record LogEvent(long number, Instant time, String level, String logger, String thread, String text) {}
}
