package dev.hearth.status.progress;

import dev.hearth.spi.error.PrintableText;
import dev.hearth.spi.monitor.StageView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Formats the progress of running stages as one line of text. A pure function: equal stages and executors at the same
 * time give equal lines.
 */
record ProgressLine(long nowMillis, ExecutorSupply executors) {
    /** Age from which a stage is shown, because most younger stages end before a person could read the line. */
    static final long AGE_MIN_MILLIS = 500;

    private static final int STAGES_MAX = 3;
    private static final int BAR_MIN = 6;
    private static final int BAR_MIN_WITH_NAME = 10;
    private static final int NAME_MAX = 60;
    private static final long RATE_AGE_MIN_MILLIS = 1000;
    private static final double MILLIS_PER_SECOND = 1000.0;

    /** Whether one of the {@code active} stages is old enough to be shown. */
    boolean isShown(List<StageView> active) {
        return active.stream().anyMatch(this::isOld);
    }

    private boolean isOld(StageView stage) {
        return nowMillis - stage.submittedMillis().orElse(nowMillis) >= AGE_MIN_MILLIS;
    }

    /**
     * Returns one line, of fewer than {@code width} characters, about the {@code active} stages. Empty if no active
     * stage is old enough to be shown. If no task runs because no executor is there, the line shows how many executors
     * were asked for, and why the cluster starts none.
     */
    Optional<String> of(List<StageView> active, int width) {
        List<StageView> shown =
                active.stream().filter(this::isOld).limit(STAGES_MAX).toList();
        if (shown.isEmpty()) {
            return Optional.empty();
        }
        boolean idle = active.stream().allMatch(stage -> stage.taskCounts().active() == 0);
        if (idle && (executors.registered() == 0 || !executors.hindrance().isEmpty())) {
            return Optional.of(waiting(shown.get(0), width - 1));
        }
        int room = (width - 1) / shown.size(); // minus one, as some terminals wrap a full line
        List<String> parts = new ArrayList<>();
        int slots = executors.slots() == 0 ? Integer.MAX_VALUE : executors.slots(); // 0: not known
        for (StageView stage : shown) { // tasks beyond the slots wait at their executors, those of older stages first
            int running = Math.min(stage.taskCounts().active(), slots);
            slots -= running;
            parts.add(part(stage, running, room));
        }
        return Optional.of(String.join("", parts));
    }

    private String waiting(StageView stage, int room) {
        int tasks = stage.info().tasks();
        int done = Math.min(tasks, stage.taskCounts().succeeded());
        StringBuilder line = new StringBuilder("[Stage " + stage.id() + ": " + done + " / " + tasks + ", no executors");
        if (executors.registered() == 0) {
            executors
                    .asked()
                    .ifPresent(asked ->
                            line.append(": asked for ").append(asked.text()).append("; registered: 0"));
        }
        if (!executors.hindrance().isEmpty()) {
            line.append(": ").append(executors.hindrance());
        }
        line.append(']');
        return line.length() <= room ? line.toString() : line.substring(0, Math.max(0, room));
    }

    private String part(StageView stage, int running, int room) {
        int tasks = stage.info().tasks();
        int done = Math.min(tasks, stage.taskCounts().succeeded());
        String head = "[Stage " + stage.id() + ":";
        String count = "(" + done + " + " + running + ") / " + tasks;
        String tail = count + (running == 0 ? "" : rate(stage, tasks - done)) + "]";
        int bar = room - head.length() - tail.length();
        if (bar < BAR_MIN) {
            tail = count + "]";
            bar = room - head.length() - tail.length();
        }
        String name = PrintableText.line(stage.info().name());
        if (name.length() <= NAME_MAX && bar - name.length() - 2 >= BAR_MIN_WITH_NAME) {
            head += " " + name + " ";
            bar -= name.length() + 2;
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
    private String rate(StageView stage, int left) {
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
