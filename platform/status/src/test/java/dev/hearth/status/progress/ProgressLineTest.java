package dev.hearth.status.progress;

import static dev.hearth.status.store.Samples.stage;
import static dev.hearth.status.store.Samples.submitted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.event.ApplicationEvent.ExecutorAdded;
import dev.hearth.api.event.ApplicationEvent.ExecutorsHindered;
import dev.hearth.api.event.ApplicationEvent.TasksSummarised;
import dev.hearth.api.event.StageInfo;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.spi.monitor.ExecutorsAsked;
import dev.hearth.status.store.Samples;
import dev.hearth.status.store.StatusSettings;
import dev.hearth.status.store.StatusStore;
import dev.hearth.testkit.FakeTicker;
import dev.hearth.testkit.machine.Screen;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Formats the stages of a store at times that the test sets. */
class ProgressLineTest {
    private final StatusStore store = new StatusStore(StatusSettings.DEFAULTS);
    private final FakeTicker ticker = new FakeTicker();
    private final long begin = ticker.wall().toEpochMilli();
    private ExecutorSupply supply = new ExecutorSupply(1, 100, Optional.empty(), "");

    @Test
    void showsNoYoungStage() {
        runs(2, 100, 16, 12);
        assertEquals(Optional.empty(), line(499, 80));
        assertEquals(
                "[Stage 2: count at Main.java:12 ==>" + " ".repeat(21) + "(12 + 4) / 100]",
                line(500, 72).orElseThrow());
        assertEquals("[Stage 2:=>             (12 + 4) / 100]", line(500, 40).orElseThrow());
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
    void countsNoMoreTasksAsRunningThanTheExecutorsHaveSlots() {
        runs(0, 20, 4, 0);
        runs(1, 20, 4, 0);
        runs(2, 20, 4, 0);
        supply = new ExecutorSupply(2, 6, Optional.empty(), "");
        String line = line(600, 160).orElseThrow();
        assertTrue(line.contains("(0 + 4) / 20]") && line.contains("(0 + 2) / 20]"), line);
        assertTrue(line.endsWith("(0 + 0) / 20]"), line);
    }

    @Test
    void showsNoRateOfAStageThatWaits() {
        runs(0, 100, 24, 24);
        assertTrue(line(2000, 80).orElseThrow().endsWith("(24 + 0) / 100]"));
    }

    @Test
    void showsWhatIsAskedWhileNoExecutorIsThere() {
        runs(0, 2, 0, 0);
        supply = new ExecutorSupply(0, 0, Optional.of(new ExecutorsAsked(2, OptionalInt.of(1), 1408)), "");
        assertEquals(
                "[Stage 0: 0 / 2, no executors: asked for 2 executors of 1 core, 1408 MiB; registered: 0]",
                line(600, 160).orElseThrow());
        assertEquals(39, line(600, 40).orElseThrow().length());
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
        supply = ExecutorSupply.of(store);
        assertEquals(Optional.empty(), line(5000, 80), "no stage waits");
        runs(3, 40, 8, 8);
        assertEquals(
                "[Stage 3: 8 / 40, no executors: quota used up]", line(5000, 80).orElseThrow());
        assertEquals("[Stage 3: 8 / 40, n", line(5000, 20).orElseThrow());
        runs(4, 10, 1, 0);
        assertTrue(line(5000, 80).orElseThrow().startsWith("[Stage 3:="), "a task runs");
    }

    @Test
    void rewritesItsLineAndClearsItBeforeOtherOutput() {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream terminal = new ByteArrayOutputStream();
        Screen screen = new Screen(5, 160);
        PrintStream printed = new PrintStream(terminal, true, StandardCharsets.US_ASCII);
        LoggerFactory.getLogger(ProgressLineTest.class); // which prints at its first use
        System.setOut(printed);
        System.setErr(printed);
        AtomicInteger columns = new AtomicInteger(160);
        try (ProgressBar bar =
                new ProgressBar(store, new TerminalLine(terminal, true), ticker, columns::get, () -> {})) {
            bar.show();
            assertEquals("", drawn(screen, terminal));
            runs(0, 10, 5, 5);
            store.on(new ExecutorAdded(begin, "driver", "localhost", 4, Map.of(), Map.of(), 0, 4, List.of()));
            ticker.advance(Duration.ofMillis(500));
            bar.show();
            String line = drawn(screen, terminal);
            assertTrue(line.startsWith("[Stage 0: count at Main.java:12 ==") && line.length() == 159, line);
            System.out.println("a result");
            assertEquals("a result", drawn(screen, terminal));
            bar.show();
            assertEquals("a result\n" + line, drawn(screen, terminal));
            System.err.print("a question? ");
            bar.show();
            assertEquals("a result\na question?", drawn(screen, terminal), "a part of a line stays");
            System.out.println();
            columns.set(40);
            bar.show();
            assertEquals("a result\na question?\n[Stage 0:========>        (5 + 0) / 10]", drawn(screen, terminal));
            bar.clear();
            assertEquals("a result\na question?", drawn(screen, terminal));
        } finally {
            assertSame(printed, System.out, "given back");
            assertSame(printed, System.err, "given back");
            System.setOut(out);
            System.setErr(err);
        }
    }

    @Test
    void twoApplicationsShareTheLine() {
        PrintStream out = System.out;
        PrintStream err = System.err;
        TerminalLine line = new TerminalLine(new ByteArrayOutputStream(), false);
        try (ProgressBar first = new ProgressBar(store, line, ticker, () -> 80, () -> {})) {
            try (ProgressBar second = new ProgressBar(store, line, ticker, () -> 80, () -> {})) {
                assertNotSame(err, System.err);
                assertSame(out, System.out, "goes elsewhere");
                second.show();
            }
            assertNotSame(err, System.err, "the first goes on");
            first.show();
        }
        assertSame(err, System.err);
    }

    @Test
    void endsWhenTheTerminalIsClosed() {
        TerminalLine line = new TerminalLine(
                new OutputStream() {
                    @Override
                    public void write(int value) throws IOException {
                        throw new IOException("closed");
                    }
                },
                false);
        line.draw("text");
        assertTrue(line.isBroken());
    }

    private static String drawn(Screen screen, ByteArrayOutputStream terminal) {
        screen.write(terminal.toString(StandardCharsets.US_ASCII).replace("\n", "\r\n"));
        terminal.reset();
        return screen.text();
    }

    @Test
    void trustsTheLauncherAboutTheTerminal() {
        assertTrue(Terminal.isTerminal("true"));
        assertEquals(false, Terminal.isTerminal("false"));
    }

    private void runs(int id, int tasks, int started, int succeeded) {
        StageInfo stage = stage(id, 0, tasks);
        store.on(Samples.job(begin, id, stage));
        store.on(submitted(begin, stage));
        store.on(new TasksSummarised(begin, id, 0, started, succeeded, 0, 0, TaskMetrics.NONE));
    }

    private Optional<String> line(long millis, int width) {
        return new ProgressLine(begin + millis, supply).of(store.activeStages(), width);
    }
}
