package dev.hearth.shell.submit;

import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.cluster.SubmissionTimes;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

/**
 * Text about submissions for people: one line for each, and the details of a single one. Times are those of a time
 * zone. Stateless but for the zone.
 */
record SubmissionReport(ZoneId zone) {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT);

    /** One line: state, place, exit status, and what the cluster says. */
    private static String line(SubmissionStatus status) {
        return status.submission() + ": " + status.state() + place(status) + exit(status) + attempt(status)
                + after(status);
    }

    /** One line for a list of submissions: with the time of the submission and how long the driver ran. */
    String lineOfMany(SubmissionStatus status) {
        StringBuilder text = new StringBuilder(line(status));
        SubmissionTimes times = status.times();
        times.submittedMillis().ifPresent(millis -> text.append("; submitted ").append(time(millis)));
        times.took().ifPresent(took -> text.append(", ran ").append(duration(took)));
        return text + links(status);
    }

    /** Lines about one submission: its state, its times, how long its driver has run until {@code now}, its links. */
    List<String> linesOf(SubmissionStatus status, Instant now) {
        List<String> lines = new ArrayList<>(List.of(line(status)));
        BiConsumer<String, String> fact =
                (name, value) -> lines.add(String.format(Locale.ROOT, "  %-10s %s", name, value));
        SubmissionTimes times = status.times();
        addTime(fact, "submitted", times.submittedMillis());
        addTime(fact, "started", times.startedMillis());
        addTime(fact, "ended", times.endedMillis());
        times.took().ifPresent(took -> fact.accept("ran", duration(took)));
        if (times.startedMillis().isPresent()
                && times.endedMillis().isEmpty()
                && !status.state().isFinal()) {
            long millis = now.toEpochMilli() - times.startedMillis().getAsLong();
            fact.accept("runs for", duration(Duration.ofMillis(Math.max(0, millis))));
        }
        status.links().forEach(fact);
        return lines;
    }

    private void addTime(BiConsumer<String, String> fact, String name, OptionalLong millis) {
        millis.ifPresent(known -> fact.accept(name, time(known)));
    }

    private String time(long millis) {
        return TIME.format(ZonedDateTime.ofInstant(Instant.ofEpochMilli(millis), zone));
    }

    /** A duration in its two largest units, such as {@code 2 h 5 min} or {@code 1.3 s}. */
    static String duration(Duration time) {
        if (time.toHours() > 0) {
            return time.toHours() + " h " + time.toMinutesPart() + " min";
        }
        if (time.toMinutes() > 0) {
            return time.toMinutes() + " min " + time.toSecondsPart() + " s";
        }
        return time.toSeconds() + "." + time.toMillisPart() / 100 + " s";
    }

    static String place(SubmissionStatus status) {
        return status.placement().isEmpty() ? "" : " on " + status.placement();
    }

    static String exit(SubmissionStatus status) {
        return status.exitStatus().isPresent()
                ? ", exit status " + status.exitStatus().getAsInt()
                : "";
    }

    private static String attempt(SubmissionStatus status) {
        return status.attempt() == 1 ? "" : ", attempt " + status.attempt();
    }

    private static String links(SubmissionStatus status) {
        StringBuilder text = new StringBuilder();
        status.links()
                .forEach((name, url) ->
                        text.append("; ").append(name).append(' ').append(url));
        return text.toString();
    }

    /** The first line of the message, unless it repeats the exit status. */
    private static String after(SubmissionStatus status) {
        String first = status.message().lines().findFirst().orElse("");
        return first.isEmpty() || exit(status).endsWith(" " + first) ? "" : "; " + first;
    }
}
