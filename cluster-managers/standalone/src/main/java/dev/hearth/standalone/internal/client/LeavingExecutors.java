package dev.hearth.standalone.internal.client;

import dev.hearth.spi.cluster.ExecutorListener;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.time.Ticker;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorLeaves;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Executors whose workers are being decommissioned. One that has not registered with the driver yet is reported again when
 * it has, as the driver gives it tasks only then. Owned by the event loop of the application.
 */
final class LeavingExecutors {
    private final Supplier<ExecutorListener> listener;
    private final Ticker ticker;
    private final Map<ExecutorId, Notice> leaving = new LinkedHashMap<>();

    LeavingExecutors(Supplier<ExecutorListener> listener, Ticker ticker) {
        this.listener = listener;
        this.ticker = ticker;
    }

    private record Notice(ExecutorLeaves message, long sinceNanos) {}

    void leaves(ExecutorLeaves message) {
        Notice notice = new Notice(message, ticker.nanos());
        leaving.put(message.executor(), notice);
        report(notice);
    }

    void registered(ExecutorId executor) {
        Notice notice = leaving.get(executor);
        if (notice != null) {
            report(notice);
        }
    }

    void gone(ExecutorId executor) {
        leaving.remove(executor);
    }

    private void report(Notice notice) {
        ExecutorLeaves message = notice.message();
        if (message.withinMillis().isEmpty()) {
            listener.get().leaving(message.executor(), message.reason());
        } else {
            Duration within = Duration.ofMillis(message.withinMillis().getAsLong())
                    .minusNanos(ticker.nanos() - notice.sinceNanos());
            listener.get().leaving(message.executor(), message.reason(), within.isNegative() ? Duration.ZERO : within);
        }
    }
}
