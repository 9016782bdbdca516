package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.standalone.internal.master.MasterLog.Cause;
import dev.hearth.testkit.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

class MasterLogTest {
    private final FakeTicker ticker = new FakeTicker();
    private final Lines lines = new Lines();
    private final MasterLog log = new MasterLog(lines, ticker);

    @Test
    void boundsTheLinesOfEachCauseByItself() {
        for (int i = 0; i < 12_000; i++) {
            log.info(Cause.WORKER_REFUSED, "worker {} is refused", i);
        }
        assertEquals(20, lines.written.size());
        log.info(Cause.DRIVER, "driver {} was submitted", 1);
        assertEquals("driver 1 was submitted", lines.written.get(20));
        ticker.advance(Duration.ofMinutes(1));
        log.info(Cause.WORKER_REFUSED, "worker {} is refused", "late");
        assertTrue(lines.written.get(21).startsWith("11980 more lines of the cause WORKER_REFUSED"));
        assertEquals("worker late is refused", lines.written.get(22));
    }

    private static final class Lines extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1L;

        private final transient List<String> written = new ArrayList<>();

        @Override
        public boolean isTraceEnabled() {
            return true;
        }

        @Override
        public boolean isDebugEnabled() {
            return true;
        }

        @Override
        public boolean isInfoEnabled() {
            return true;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
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
                @Nullable Throwable thrown) {
            written.add(MessageFormatter.basicArrayFormat(pattern, arguments));
        }
    }
}
