package dev.hearth.status.progress;

import static dev.hearth.status.store.Samples.stage;
import static dev.hearth.status.store.Samples.submitted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.event.ApplicationEvent.ExecutorsHindered;
import dev.hearth.api.event.ApplicationEvent.TasksSummarised;
import dev.hearth.api.event.StageInfo;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.status.store.Samples;
import dev.hearth.status.store.StatusSettings;
import dev.hearth.status.store.StatusStore;
import dev.hearth.testkit.FakeTicker;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Formats the stages of a store at times that the test sets. */
class ProgressLineTest {
    private final StatusStore store = new StatusStore(StatusSettings.DEFAULTS);
    private final FakeTicker ticker = new FakeTicker();
    private final long begin = ticker.wall().toEpochMilli();

    @Test
    void showsNoYoungStage() {
        runs(2, 100, 16, 12);
        assertEquals(Optional.empty(), line(499, 80));
        assertEquals(
                "[Stage 2:=====>" + " ".repeat(41) + "(12 + 4) / 100]",
                line(500, 72).orElseThrow());
    }

    @Test
    void showsRateAndTimeLeftOnceTheyCanBeEstimated() {
        runs(0, 100, 24, 20);
        assertTrue(
                line(2000, 80).orElseThrow().endsWith("(20 + 4) / 100, 10/s, 8s left]"),
                () -> line(2000, 80).toString());
        assertTrue(
                line(3_600_000, 80).orElseThrow().endsWith(", 0.0/s, 4h0m left]"),
                () -> line(3_600_000, 80).toString());
    }

    @Test
    void sharesTheLineAmongThreeStages() {
        for (int id = 0; id < 5; id++) {
            runs(id, 10, 5, 5);
        }
        String line = line(600, 80).orElseThrow();
        assertEquals(78, line.length());
        assertEquals(3, line.split("\\[Stage", -1).length - 1);
        assertTrue(line.startsWith("[Stage 0:==> (5 + 0) / 10][Stage 1:"), line);
    }

    @Test
    void fitsAnyWidth() {
        runs(1_000_000, Integer.MAX_VALUE, 123_456_789, 123_450_000);
        for (int width = 1; width < 200; width++) {
            int bound = width;
            String line = line(5000, width).orElseThrow();
            assertTrue(line.length() < bound, () -> bound + ": " + line);
        }
    }

    @Test
    void showsWhyNoTaskRuns() {
        store.on(new ExecutorsHindered(begin, "quota used up"));
        assertEquals(Optional.empty(), line(5000, 80), "no stage waits");
        runs(3, 40, 8, 8);
        assertEquals(
                "[Stage 3: 8 / 40, no executors: quota used up]", line(5000, 80).orElseThrow());
        assertEquals("[Stage 3: 8 / 40, n", line(5000, 20).orElseThrow());
        runs(4, 10, 1, 0);
        assertTrue(line(5000, 80).orElseThrow().startsWith("[Stage 3:="), "a task runs");
    }

    @Test
    void rewritesItsLineAndClearsIt() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ProgressBar bar = new ProgressBar(store, out, ticker, 40);
        bar.show();
        assertEquals("", text(out));
        runs(0, 10, 5, 5);
        ticker.advance(Duration.ofMillis(500));
        bar.show();
        assertEquals("\r[Stage 0:========>        (5 + 0) / 10]", text(out));
        bar.clear();
        assertTrue(text(out).endsWith("\r" + " ".repeat(39) + "\r"), text(out));
        int before = out.size();
        bar.clear();
        bar.close();
        bar.show();
        assertEquals(before, out.size());
    }

    @Test
    void trustsTheLauncherAboutTheTerminal() {
        assertTrue(Terminal.isTerminal("true"));
        assertEquals(false, Terminal.isTerminal("false"));
        assertEquals(132, Terminal.columns(Map.of("COLUMNS", "132")));
        assertEquals(80, Terminal.columns(Map.of("COLUMNS", "wide")));
    }

    private void runs(int id, int tasks, int started, int succeeded) {
        StageInfo stage = stage(id, 0, tasks);
        store.on(Samples.job(begin, id, stage));
        store.on(submitted(begin, stage));
        store.on(new TasksSummarised(begin, id, 0, started, succeeded, 0, 0, TaskMetrics.NONE));
    }

    private Optional<String> line(long millis, int width) {
        return ProgressLine.of(
                begin + millis, store.activeStages(), store.application().hindrance(), width);
    }

    private static String text(ByteArrayOutputStream out) {
        return out.toString(StandardCharsets.US_ASCII);
    }
}
