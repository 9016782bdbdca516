package dev.hearth.kernel.internal.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.process.Prestart;
import dev.hearth.testkit.FakeTicker;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Timers of prestarted processes in simulated time, and what an earlier process has left. The processes are shells that wait. */
@Timeout(60)
class PrestartedProcessesTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    /** A parent that has ended: process ids of this length are not given. */
    private static final String GONE = "999999999999999999-";

    @TempDir
    Path scratch;

    private final FakeTicker ticker = new FakeTicker();
    private final List<Timer> timers = new ArrayList<>();
    private PrestartedProcesses processes;

    private record Timer(long at, Runnable action) {}

    private PrestartedProcesses open() {
        processes = new PrestartedProcesses(
                new Prestart(scratch.resolve("ahead"), TIMEOUT, "hearth"),
                Map.of(),
                ticker,
                (nanos, action) -> timers.add(new Timer(ticker.nanos() + nanos, action)));
        return processes;
    }

    @AfterEach
    void end() {
        if (processes != null) {
            processes.close().forEach(process -> process.endBy(System.nanoTime() + TIMEOUT.toNanos()));
        }
    }

    private static ProcessStart start(String role) {
        return new ProcessStart(
                role, List.of("/bin/sh", "-c", "read orders", "-cp"), Map.of(), Map.of(), Optional.empty(), false, 0);
    }

    /** Lets time pass, with each timer at its time. */
    private void pass(Duration time) {
        long end = ticker.nanos() + time.toNanos();
        while (true) {
            Optional<Timer> next = timers.stream()
                    .filter(timer -> timer.at <= end)
                    .min((one, other) -> Long.compare(one.at, other.at));
            if (next.isEmpty()) {
                break;
            }
            timers.remove(next.get());
            ticker.advance(Duration.ofNanos(Math.max(0, next.get().at - ticker.nanos())));
            next.get().action.run();
        }
        ticker.advance(Duration.ofNanos(end - ticker.nanos()));
    }

    private Set<String> entries() throws IOException {
        Set<String> names = new TreeSet<>();
        if (Files.isDirectory(scratch.resolve("ahead"))) {
            try (Stream<Path> entries = Files.list(scratch.resolve("ahead"))) {
                entries.forEach(entry -> names.add(entry.getFileName().toString()));
            }
        }
        return names;
    }

    @Test
    void aBurstOfChildrenSetsOneTimer() throws IOException {
        PrestartedProcesses opened = open();
        for (int child = 0; child < 100; child++) {
            assertTrue(opened.childStarts(start("driver")).isEmpty());
            ticker.advance(Duration.ofMillis(1));
        }
        assertEquals(1, timers.size());
        pass(Duration.ofMillis(950)); // the timer finds that the last child is not a second old
        assertEquals(1, timers.size());
        assertEquals(0, entries().size());
        pass(Duration.ofMillis(50));
        assertEquals(1, entries().size());
        assertEquals(1, timers.size()); // for the end of the process
    }

    @Test
    void anEarlierTimerTakesThePlaceOfALaterOneWhichThenDoesNothing() throws IOException {
        PrestartedProcesses opened = open();
        opened.childStarts(start("driver"));
        pass(Duration.ofSeconds(1));
        assertEquals(1, entries().size());
        opened.childStarts(start("executor")); // a second from now, which is before the end of the first process
        assertEquals(2, timers.size());
        pass(Duration.ofSeconds(1));
        assertEquals(2, entries().size());
        assertEquals(2, timers.size()); // the replaced one, and the one in its place for the same time
        pass(TIMEOUT.minusSeconds(1)); // both run
        assertEquals(1, timers.size(), "only one of them sets the next timer");
    }

    @Test
    void theTimersOfManyCyclesDoNotMultiply() throws IOException {
        PrestartedProcesses opened = open();
        for (int cycle = 0; cycle < 20; cycle++) {
            Optional<PrestartedProcess> child = opened.childStarts(start("driver"));
            assertEquals(cycle > 0, child.isPresent());
            child.ifPresent(PrestartedProcess::end);
            pass(Duration.ofSeconds(2));
        }
        pass(TIMEOUT.multipliedBy(2));
        assertEquals(List.of(), timers, "no process waits, so no timer is due");
    }

    @Test
    void sweepsWhatAKilledParentHasLeft() throws IOException {
        Path ahead = Files.createDirectories(scratch.resolve("ahead"));
        Path outside = Files.createDirectories(scratch.resolve("outside"));
        Files.writeString(outside.resolve("kept"), "of another");
        WorkDirectory.createMarked(ahead.resolve(GONE + "0"));
        Files.createSymbolicLink(ahead.resolve(GONE + "1"), outside);
        Path replaced = ahead.resolve(GONE + "2.replaced"); // killed between the renames, or before all files had moved
        WorkDirectory.createMarked(replaced);
        Files.writeString(replaced.resolve("app.jar"), "uploaded");
        Files.createSymbolicLink(replaced.resolve("link"), outside);
        Files.writeString(Files.createDirectories(replaced.resolve("more/deep")).resolve("file"), "carried");
        open().sweep();
        assertEquals(List.of(), List.copyOf(entries()));
        assertEquals("of another", Files.readString(outside.resolve("kept")));
    }

    @Test
    void sweepsNothingInUseAndGoesOnBehindWhatItCannotRemove() throws IOException {
        Path ahead = Files.createDirectories(scratch.resolve("ahead"));
        Path held = ahead.resolve(GONE + "1");
        WorkDirectory.createMarked(held);
        Path ofParent =
                ahead.resolve(ProcessHandle.current().parent().orElseThrow().pid() + "-0.replaced");
        WorkDirectory.createMarked(ofParent);
        Path full = ahead.resolve(GONE + "0"); // is no work directory
        Files.writeString(Files.createDirectories(full).resolve("file"), "unknown");
        WorkDirectory.createMarked(ahead.resolve(GONE + "2"));
        try (FileChannel lock = WorkDirectory.hold(held).orElseThrow()) {
            open().sweep();
            assertTrue(lock.isOpen());
        }
        assertTrue(Files.exists(held));
        assertTrue(Files.exists(ofParent));
        assertTrue(Files.exists(full));
        assertFalse(Files.exists(ahead.resolve(GONE + "2")));
    }
}
