package dev.hearth.packages.internal;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Temporary files of downloads whose process was killed. Stateless. */
final class LeftoverDownloads {
    /** Age from which no download can be running any more. */
    static final Duration AGE = Duration.ofDays(1);

    private static final Logger LOG = LoggerFactory.getLogger(LeftoverDownloads.class);

    private LeftoverDownloads() {}

    /** Deletes those beside {@code file} that are older than {@link #AGE} at {@code now}. */
    static void deleteBeside(Path file, Instant now) {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(file.resolveSibling(""), "*.tmp")) {
            for (Path each : left) {
                if (Files.getLastModifiedTime(each).toInstant().plus(AGE).isBefore(now)) {
                    Files.deleteIfExists(each);
                }
            }
        } catch (IOException failure) {
            LOG.debug("directory of {}: old downloads are not deleted", file, failure);
        }
    }
}
