package dev.hearth.standalone.internal.master;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.ledger.Fact;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Generates ids in Spark's format, {@code app-yyyyMMddHHmmss-NNNN}. The timestamp, in UTC, is the start time of the
 * master plus the monotonic time since then. A clock that is set back thus cannot cause duplicate ids. Owned by {@link
 * Master}.
 */
final class IdGenerator {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Instant startWall;
    private final long startNanos;
    private int submissions;
    private int applications;

    IdGenerator(Instant startWall, long startNanos) {
        this.startWall = startWall;
        this.startNanos = startNanos;
    }

    /** Continues after so many ids of an earlier master. */
    void resume(int submissionsBefore, int applicationsBefore) {
        submissions = submissionsBefore;
        applications = applicationsBefore;
    }

    /** The numbers of ids up to now, for the master that follows this one. */
    Fact used(long now) {
        return new Fact.NumbersUsed(submissions, applications, wallMillis(now));
    }

    SubmissionId submission(long now) {
        return new SubmissionId("driver-" + stamp(now) + number(submissions++));
    }

    ApplicationId application(long now) {
        return new ApplicationId("app-" + stamp(now) + number(applications++));
    }

    /** The time {@code now} in milliseconds since 1970, by the clock at the start of the master. */
    long wallMillis(long now) {
        return startWall.plusNanos(now - startNanos).toEpochMilli();
    }

    private String stamp(long now) {
        return STAMP.format(startWall.plusNanos(now - startNanos));
    }

    private static String number(int count) {
        return String.format(Locale.ROOT, "-%04d", count);
    }
}
