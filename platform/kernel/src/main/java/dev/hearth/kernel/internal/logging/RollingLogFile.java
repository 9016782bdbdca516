package dev.hearth.kernel.internal.logging;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.RollingPolicyBase;
import ch.qos.logback.core.rolling.RolloverFailure;
import ch.qos.logback.core.rolling.TriggeringPolicyBase;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Log file that is renamed when it is full: {@code f} becomes {@code f.1}, {@code f.1} becomes {@code f.2}, and so on.
 * The number of files is limited.
 */
final class RollingLogFile {
    private static final long BYTES_PER_MEBIBYTE = 1024 * 1024;

    private RollingLogFile() {}

    static RollingFileAppender<ILoggingEvent> open(
            LoggerContext context, Encoder<ILoggingEvent> encoder, Path file, LogSettings settings) {
        NumberedFiles numbers = new NumberedFiles(file, settings.filesMax());
        numbers.setContext(context);
        SizeTrigger full = new SizeTrigger(settings.maxSizeMebibytes() * BYTES_PER_MEBIBYTE);
        full.setContext(context);
        RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
        appender.setContext(context);
        appender.setName("file");
        appender.setFile(file.toString());
        appender.setEncoder(encoder);
        appender.setRollingPolicy(numbers);
        appender.setTriggeringPolicy(full);
        numbers.setParent(appender);
        numbers.start();
        full.start();
        appender.start();
        return appender;
    }

    /** Checks the size of the file at every event, because logback's own trigger checks only once a minute. */
    private static final class SizeTrigger extends TriggeringPolicyBase<ILoggingEvent> {
        private final long bytesMax;

        SizeTrigger(long bytesMax) {
            this.bytesMax = bytesMax;
        }

        @Override
        public boolean isTriggeringEvent(File active, ILoggingEvent event) {
            return active.length() >= bytesMax;
        }
    }

    /**
     * Rolls over by renaming files to numbered names. Logback's own policy is not used, because it interprets percent
     * signs and brackets in paths.
     */
    private static final class NumberedFiles extends RollingPolicyBase {
        private final Path file;
        private final int filesMax;

        NumberedFiles(Path file, int filesMax) {
            this.file = file;
            this.filesMax = filesMax;
        }

        @Override
        public void rollover() throws RolloverFailure {
            try {
                for (int number = filesMax; number > 0; number--) {
                    Path younger = number == 1 ? file : numbered(number - 1);
                    if (Files.exists(younger)) {
                        Files.move(younger, numbered(number), StandardCopyOption.REPLACE_EXISTING);
                    }
                }
            } catch (IOException e) {
                throw new RolloverFailure("log file " + file + ": not rolled over; logging continues in it", e);
            }
        }

        private Path numbered(int number) {
            return file.resolveSibling(file.getFileName() + "." + number);
        }

        @Override
        public String getActiveFileName() {
            return file.toString();
        }
    }
}
