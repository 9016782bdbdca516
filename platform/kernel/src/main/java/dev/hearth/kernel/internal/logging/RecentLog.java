package dev.hearth.kernel.internal.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import dev.hearth.spi.kernel.Logs.LogEvent;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Most recent events of the log, for shells. Keeps a limited number, each of limited length. Guarded by its own lock. */
final class RecentLog extends AppenderBase<ILoggingEvent> {
    /** Number of events that are kept. */
    static final int EVENTS_MAX = 2_000;
    /** Number of characters that are kept of one event. */
    static final int CHARACTERS_MAX = 8_192;

    private final Deque<LogEvent> events = new ArrayDeque<>();
    private long last;

    @Override
    protected void append(ILoggingEvent event) {
        String message = String.valueOf(event.getFormattedMessage());
        String text = event.getThrowableProxy() == null
                ? message
                : message + "\n" + ThrowableProxyUtil.asString(event.getThrowableProxy());
        String kept = text.length() <= CHARACTERS_MAX ? text : text.substring(0, CHARACTERS_MAX) + "...";
        Instant time = Instant.ofEpochMilli(event.getTimeStamp());
        synchronized (events) {
            events.addLast(new LogEvent(
                    ++last, time, event.getLevel().toString(), event.getLoggerName(), event.getThreadName(), kept));
            if (events.size() > EVENTS_MAX) {
                events.removeFirst();
            }
            events.notifyAll();
        }
    }

    List<LogEvent> after(long number) {
        synchronized (events) {
            return events.stream().filter(event -> event.number() > number).toList();
        }
    }

    /** As {@link #after}, but waits at most {@code millis} milliseconds for the first event. */
    List<LogEvent> awaitAfter(long number, long millis) throws InterruptedException {
        synchronized (events) {
            if (last <= number) {
                events.wait(millis);
            }
            return after(number);
        }
    }
}
