package dev.hearth.standalone.internal.master;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.standalone.internal.ledger.Fact;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * Generates ids, by default in Spark's format {@code app-yyyyMMddHHmmss-NNNN}. The timestamp, in UTC, is the start time of
 * the master plus the monotonic time since then. A clock that is set back thus cannot cause duplicate ids. Owned by {@link
 * Master}.
 */
final class IdGenerator {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int NAME_LENGTH_MAX = 180;
    private static final String UNNAMED = "app";

    private final IdSettings settings;
    private final Instant startWall;
    private final long startNanos;
    private int submissions;
    private int applications;

    /** Creates a generator of ids in the default format. */
    IdGenerator(Instant startWall, long startNanos) {
        this(IdSettings.read(new SettingsReader(Settings.empty())), startWall, startNanos);
    }

    IdGenerator(IdSettings settings, Instant startWall, long startNanos) {
        this.settings = settings;
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

    /** The next id of a driver. It gets a suffix if it is {@code taken}, as one may be whose pattern has no time. */
    SubmissionId submission(long now, Predicate<SubmissionId> taken) {
        String first = settings.driver(stamp(now), submissions++);
        SubmissionId id = new SubmissionId(first);
        for (int i = 2; taken.test(id); i++) {
            id = new SubmissionId(first + "-" + i);
        }
        return id;
    }

    /** Whether the application of a driver is named after the id of the driver. */
    boolean namesApplicationsAfterDrivers() {
        return settings.namesApplicationsAfterDrivers();
    }

    /** The id of an application that is called {@code name}, with a suffix if it is {@code taken}. */
    ApplicationId application(long now, String name, Predicate<ApplicationId> taken) {
        int number = applications++;
        String first = settings.namesApplicationIds() ? named(name) : settings.application(stamp(now), number);
        ApplicationId id = new ApplicationId(first);
        for (int i = 2; taken.test(id); i++) {
            id = new ApplicationId(first + "-" + i);
        }
        return id;
    }

    /** The name of an application as an id: in lower case, without blanks, and with dashes for other characters. */
    private static String named(String name) {
        String id = name.toLowerCase(Locale.ROOT)
                .replaceAll("\\s+", "")
                .replaceAll("[^a-z0-9_.:-]", "-")
                .replaceFirst("^\\.+", "");
        return id.isEmpty() ? UNNAMED : id.substring(0, Math.min(id.length(), NAME_LENGTH_MAX));
    }

    /** The time {@code now} in milliseconds since 1970, by the clock at the start of the master. */
    long wallMillis(long now) {
        return startWall.plusNanos(now - startNanos).toEpochMilli();
    }

    private String stamp(long now) {
        return STAMP.format(startWall.plusNanos(now - startNanos));
    }
}
