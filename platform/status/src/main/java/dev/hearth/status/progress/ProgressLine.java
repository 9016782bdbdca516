package dev.hearth.status.progress;

import dev.hearth.spi.monitor.StageView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Formats the progress of running stages as one line of text. A pure function: equal stages at the same time give equal
 * lines.
 */
final class ProgressLine {
    /** Age from which a stage is shown, because most younger stages end before a person could read the line. */
    static final long AGE_MIN_MILLIS = 500;

    private static final int STAGES_MAX = 3;
    private static final int BAR_MIN = 6;
    private static final long RATE_AGE_MIN_MILLIS = 1000;
    private static final double MILLIS_PER_SECOND = 1000.0;

    private ProgressLine() {}

    /**
     * Returns one line, of fewer than {@code width} characters, about the {@code active} stages. Empty if no active
     * stage is old enough to be shown. If no task of an active stage runs, the line shows {@code hindrance}, the reason
     * why the cluster starts no executors.
     */
    static Optional<String> of(long nowMillis, List<StageView> active, String hindrance, int width) {
        List<StageView> shown = active.stream()
                .filter(stage -> nowMillis - stage.submittedMillis().orElse(nowMillis) >= AGE_MIN_MILLIS)
                .limit(STAGES_MAX)
                .toList();
        if (shown.isEmpty()) {
            return Optional.empty();
        }
        if (!hindrance.isEmpty()
                && active.stream().allMatch(stage -> stage.taskCounts().active() == 0)) {
            return Optional.of(hindered(shown.get(0), hindrance, width - 1));
        }
        int room = (width - 1) / shown.size(); // minus one, as some terminals wrap a full line
        List<String> parts = new ArrayList<>();
        shown.forEach(stage -> parts.add(part(nowMillis, stage, room)));
        return Optional.of(String.join("", parts));
    }

    private static String hindered(StageView stage, String hindrance, int room) {
        int tasks = stage.info().tasks();
        int done = Math.min(tasks, stage.taskCounts().succeeded());
        String line = "[Stage " + stage.id() + ": " + done + " / " + tasks + ", no executors: " + hindrance + "]";
        return line.length() <= room ? line : line.substring(0, Math.max(0, room));
    }

    private static String part(long nowMillis, StageView stage, int room) {
        int tasks = stage.info().tasks();
        int done = Math.min(tasks, stage.taskCounts().succeeded());
        String head = "[Stage " + stage.id() + ":";
        String count = "(" + done + " + " + stage.taskCounts().active() + ") / " + tasks;
        String tail = count + rate(nowMillis, stage, tasks - done) + "]";
        int bar = room - head.length() - tail.length();
        if (bar < BAR_MIN) {
            tail = count + "]";
            bar = room - head.length() - tail.length();
        }
        String line = head + bar(bar, done, tasks) + tail;
        return line.length() <= room ? line : line.substring(0, Math.max(0, room));
    }

    private static String bar(int length, int done, int tasks) {
        if (length <= 0) {
            return "";
        }
        int filled = tasks == 0 ? length : (int) ((long) length * done / tasks);
        return filled >= length ? "=".repeat(length) : "=".repeat(filled) + ">" + " ".repeat(length - filled - 1);
    }

    /**
     * Returns, as text, the number of tasks that end per second and the time that the stage still needs. Empty until
     * both can be estimated.
     */
    private static String rate(long nowMillis, StageView stage, int left) {
        int done = stage.taskCounts().succeeded();
        long millis = nowMillis - stage.firstTaskMillis().orElse(nowMillis);
        if (done == 0 || millis < RATE_AGE_MIN_MILLIS) {
            return "";
        }
        double perSecond = done * MILLIS_PER_SECOND / millis;
        String rate = perSecond >= 10 ? String.valueOf(Math.round(perSecond)) : oneDigit(perSecond);
        return ", " + rate + "/s, " + time(Duration.ofMillis(Math.round(left / perSecond * MILLIS_PER_SECOND)))
                + " left";
    }

    private static String oneDigit(double number) {
        long tenths = Math.round(number * 10);
        return tenths / 10 + "." + tenths % 10;
    }

    private static String time(Duration left) {
        if (left.toHours() > 0) {
            return left.toHours() + "h" + left.toMinutesPart() + "m";
        }
        return left.toMinutes() > 0 ? left.toMinutes() + "m" + left.toSecondsPart() + "s" : left.toSeconds() + "s";
    }
}
