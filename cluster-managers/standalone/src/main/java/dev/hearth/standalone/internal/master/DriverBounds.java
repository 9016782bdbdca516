package dev.hearth.standalone.internal.master;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Quantity;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import java.time.Duration;
import java.util.List;

/**
 * Bounds on the drivers of a master: how many run, how many it accepts and of what size, and how long it remembers those
 * that ended and the ids of requests. Read from {@code hearth.deploy.*}. Immutable.
 */
public record DriverBounds(
        int runningMax,
        int submissionsMax,
        int submissionBytesMax,
        int retained,
        Duration retainedTime,
        int requestsKept,
        Duration requestsKeptTime) {
    /** Ended drivers that are kept at most, whatever the settings say. */
    static final int RETAINED_MAX = 100_000;

    private static final int MEBIBYTE = 1024 * 1024;

    private static final SettingKey<Integer> RUNNING_MAX = SettingKey.integer(
                    "hearth.deploy.maxDrivers",
                    Integer.MAX_VALUE,
                    1,
                    Integer.MAX_VALUE,
                    "Maximum number of drivers that run at a time; others wait.")
            .withoutDefault("as many as the workers hold");
    private static final SettingKey<Integer> SUBMISSIONS_MAX = SettingKey.integer(
            "hearth.deploy.submissionsMax",
            10_000,
            1,
            1_000_000,
            "Maximum number of waiting and running drivers; a further submission is refused.");
    private static final SettingKey<Integer> SUBMISSION_BYTES_MAX = SettingKey.integer(
            "hearth.deploy.submissionBytesMax",
            MEBIBYTE,
            1_024,
            Integer.MAX_VALUE,
            "Maximum size in bytes of a submission: its settings, arguments, environment and names; a larger one is"
                    + " refused.");
    private static final SettingKey<Integer> RETAINED = SettingKey.integer(
            "hearth.deploy.retainedDrivers",
            200,
            0,
            Integer.MAX_VALUE,
            "Number of ended drivers whose status and last output a master retains, also after"
                    + " hearth.deploy.retainedTime.");
    private static final SettingKey<Duration> RETAINED_TIME = SettingKey.duration(
            "hearth.deploy.retainedTime",
            Duration.ofMinutes(15),
            Duration.ZERO,
            "Time for which a master retains the status of an ended driver or application.");
    private static final SettingKey<Integer> REQUESTS_KEPT = SettingKey.integer(
            "hearth.deploy.requestsKept",
            200_000,
            1_000,
            10_000_000,
            "Maximum number of requests whose ids a master remembers, so that a repeated one starts no second driver.");
    private static final SettingKey<Duration> REQUESTS_KEPT_TIME = SettingKey.duration(
            "hearth.deploy.requestsKeptTime",
            Duration.ofHours(1),
            Duration.ofSeconds(1),
            "Time for which a master remembers the id of a request.");

    static final List<SettingKey<?>> KEYS = List.of(
            RUNNING_MAX,
            SUBMISSIONS_MAX,
            SUBMISSION_BYTES_MAX,
            RETAINED,
            RETAINED_TIME,
            REQUESTS_KEPT,
            REQUESTS_KEPT_TIME);

    /** Fails with {@code SUBMISSION_REFUSED} if a driver is not acceptable while {@code active} ones wait or run. */
    void require(DriverSpec spec, int active) {
        if (active >= submissionsMax) {
            throw ErrorCode.SUBMISSION_REFUSED.failure("master: " + active
                    + " drivers wait or run already (expected: at most hearth.deploy.submissionsMax ="
                    + " " + submissionsMax + ", with the new one); submit again when one of them has"
                    + " ended");
        }
        if (spec.cores() < 1 || spec.memoryMebibytes() < 1) {
            throw ErrorCode.SUBMISSION_REFUSED.failure("driver "
                    + spec.name() + ": " + Quantity.of(spec.cores(), "core") + " and"
                    + " " + spec.memoryMebibytes() + " MiB of memory requested (expected: at least 1"
                    + " core and 1 MiB)");
        }
        long bytes = spec.bytes();
        if (bytes > submissionBytesMax) {
            throw ErrorCode.SUBMISSION_REFUSED.failure("driver " + spec.name() + ": " + bytes
                    + " bytes of settings, arguments and names (expected: at most hearth.deploy.submissionBytesMax = "
                    + submissionBytesMax + "); pass large values in files");
        }
    }

    static DriverBounds read(SettingsReader in) {
        return new DriverBounds(
                in.find(RUNNING_MAX).orElse(Integer.MAX_VALUE),
                in.read(SUBMISSIONS_MAX),
                in.read(SUBMISSION_BYTES_MAX),
                in.read(RETAINED),
                in.read(RETAINED_TIME),
                in.read(REQUESTS_KEPT),
                in.read(REQUESTS_KEPT_TIME));
    }
}
