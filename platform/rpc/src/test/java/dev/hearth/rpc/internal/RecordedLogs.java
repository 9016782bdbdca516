package dev.hearth.rpc.internal;

import java.io.Serial;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** SLF4J provider of the tests of this module: sends all levels to the current recording, or discards them. */
public final class RecordedLogs implements SLF4JServiceProvider {
    private static final AtomicReference<@Nullable Recording> RECORDING = new AtomicReference<>();

    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter context = new NOPMDCAdapter();

    /** Starts a recording, until it is closed; one at a time. */
    public static Recording begin() {
        Recording recording = new Recording();
        if (!RECORDING.compareAndSet(null, recording)) {
            throw new IllegalStateException("logs: recorded already (expected: one recording at a time)");
        }
        return recording;
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return Logger::new;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return context;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }

    @Override
    public void initialize() {}

    /** The lines logged since its start. */
    public static final class Recording implements AutoCloseable {
        private final List<String> lines = new CopyOnWriteArrayList<>();

        public List<String> lines() {
            return List.copyOf(lines);
        }

        @Override
        public void close() {
            RECORDING.set(null);
        }
    }

    private static final class Logger extends LegacyAbstractLogger {
        @Serial
        private static final long serialVersionUID = 1L;

        Logger(String name) {
            this.name = name;
        }

        @Override
        public boolean isTraceEnabled() {
            return RECORDING.get() != null;
        }

        @Override
        public boolean isDebugEnabled() {
            return isTraceEnabled();
        }

        @Override
        public boolean isInfoEnabled() {
            return isTraceEnabled();
        }

        @Override
        public boolean isWarnEnabled() {
            return isTraceEnabled();
        }

        @Override
        public boolean isErrorEnabled() {
            return isTraceEnabled();
        }

        @Override
        protected @Nullable String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level,
                @Nullable Marker marker,
                String pattern,
                Object @Nullable [] arguments,
                @Nullable Throwable failure) {
            String text = MessageFormatter.basicArrayFormat(pattern, arguments);
            Optional.ofNullable(RECORDING.get())
                    .ifPresent(recording -> recording.lines.add(
                            level + " " + name + " " + text + (failure == null ? "" : " " + failure)));
        }
    }
}
