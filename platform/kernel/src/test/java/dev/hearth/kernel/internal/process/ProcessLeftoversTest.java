package dev.hearth.kernel.internal.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Marks of child processes, and the ends of processes that carry one. */
@Timeout(60)
class ProcessLeftoversTest {
    @Test
    void markIsOfTheChildOrOfOneInsideIt() {
        String environment = "A=1\0HEARTH_CHILD=a/b\0B=2\0";
        assertTrue(ProcessLeftovers.isMarked(environment, "a"));
        assertTrue(ProcessLeftovers.isMarked(environment, "a/b"));
        assertFalse(ProcessLeftovers.isMarked(environment, "a/b/c"));
        assertFalse(ProcessLeftovers.isMarked(environment, "b"));
        assertFalse(ProcessLeftovers.isMarked("NO_HEARTH_CHILD=a\0", "a"));
        assertFalse(ProcessLeftovers.isMarked("HEARTH_CHILD=ab\0", "a"));
    }

    @Test
    void marksOfNewChildrenDifferAndExtendThatOfTheirParent() {
        String first = ProcessLeftovers.ofNewChild(Map.of()).mark();
        assertNotEquals(first, ProcessLeftovers.ofNewChild(Map.of()).mark());
        Map<String, String> ofFirst = Map.of(ProcessLeftovers.VARIABLE, first);
        assertTrue(ProcessLeftovers.ofNewChild(ofFirst).mark().startsWith(first + "/"));
        assertEquals(
                first, ProcessLeftovers.ofThisProcess(ofFirst).orElseThrow().mark());
        assertTrue(ProcessLeftovers.ofThisProcess(Map.of()).isEmpty());
    }

    @Test
    void readsTheSessionAfterTheNameOfTheCommand() {
        assertEquals(42, ProcessLeftovers.session("7 (a) b) (c) S 1 41 42 0 -1 4194304"));
        assertEquals(0, ProcessLeftovers.session("7 (a) S"));
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "needs /proc")
    void endsProcessesWhoseParentIsGone() throws Exception {
        ProcessLeftovers leftovers = ProcessLeftovers.ofNewChild(Map.of());
        List<ProcessHandle> forked = new ArrayList<>();
        // the second takes no notice of SIGTERM
        forked.add(orphan(leftovers, "sleep 1000"));
        forked.add(orphan(leftovers, "setsid sh -c 'trap : TERM; while true; do sleep 1; done'"));
        ProcessHandle other = orphan(ProcessLeftovers.ofNewChild(Map.of()), "sleep 1000");
        try {
            leftovers.end(Duration.ofMillis(100));
            for (ProcessHandle process : forked) {
                process.onExit().get(30, TimeUnit.SECONDS);
            }
            assertTrue(other.isAlive());
        } finally {
            other.destroyForcibly();
        }
    }

    /** Starts a command from a shell that ends at once. */
    private static ProcessHandle orphan(ProcessLeftovers leftovers, String command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", command + " >/dev/null 2>&1 & echo -n $!");
        builder.environment().put(ProcessLeftovers.VARIABLE, leftovers.mark());
        try (InputStream output = builder.start().getInputStream()) {
            String pid = new String(output.readAllBytes(), StandardCharsets.US_ASCII);
            return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
        }
    }
}
