package dev.hearth.engine.internal.driver.racks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.RackResolver;
import dev.hearth.testkit.ManualEventLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Look-ups of racks, whose answers come later, never, or as failures. */
class HostRacksTest {
    private final ManualEventLoop loop = new ManualEventLoop();
    private final Deque<Runnable> waiting = new ArrayDeque<>(); // calls of the resolver that have not begun
    private final List<List<String>> questions = new ArrayList<>();
    private final List<String> found = new ArrayList<>();
    private Map<String, String> answer = Map.of();
    private Optional<RackResolver> resolver = Optional.of(hosts -> {
        questions.add(hosts);
        return answer;
    });
    private final HostRacks racks = new HostRacks(loop, waiting::add, () -> resolver, found::addAll);

    private void answer() {
        loop.turn();
        waiting.remove().run();
        loop.turn();
    }

    @Test
    void areUnknownUntilTheAnswerAndAskedOnce() {
        answer = Map.of("a", "/r1", "b", " /default-rack ", "c", "");
        for (String host : List.of("a", "b", "c", "d", "a")) {
            assertEquals(Optional.empty(), racks.apply(host));
        }
        loop.turn();
        racks.apply("a");
        loop.turn();
        assertEquals(1, waiting.size());
        answer();
        assertEquals(List.of(List.of("a", "b", "c", "d")), questions);
        assertEquals(List.of("a"), found);
        assertEquals(Optional.of("/r1"), racks.apply("a"));
        for (String host : List.of("b", "c", "d")) {
            assertEquals(Optional.empty(), racks.apply(host), "the default rack is none");
        }
        loop.turn();
        assertTrue(waiting.isEmpty());
    }

    @Test
    void areAskedOneQuestionAtATime() {
        racks.apply("a");
        loop.turn();
        racks.apply("b");
        racks.apply("c");
        loop.turn();
        assertEquals(1, waiting.size());
        answer();
        assertEquals(1, waiting.size());
        answer();
        assertEquals(List.of(List.of("a"), List.of("b", "c")), questions);
    }

    @Test
    void areAskedInQuestionsOfBoundedSizeAndBoundedInAll() {
        for (int host = 0; host < HostRacks.HOSTS_MAX + 5; host++) {
            racks.apply("host-" + host);
        }
        loop.turn();
        while (!waiting.isEmpty()) {
            answer();
        }
        assertEquals(HostRacks.HOSTS_MAX / HostRacks.QUESTION_HOSTS_MAX, questions.size());
        assertTrue(questions.stream().allMatch(hosts -> hosts.size() == HostRacks.QUESTION_HOSTS_MAX));
    }

    @Test
    void areAskedAgainLaterAfterAFailure() {
        List<String> asked = new ArrayList<>();
        resolver = Optional.of(hosts -> {
            asked.addAll(hosts);
            if (asked.size() > 1) {
                throw new NoClassDefFoundError("x/Y");
            }
            throw new IOException("no such script");
        });
        for (int minute = 0; minute < 2; minute++) {
            racks.apply("a");
            answer();
            racks.apply("a");
            loop.turn();
            assertTrue(waiting.isEmpty(), "not at once");
            loop.pass(HostRacks.RETRY.plus(Duration.ofMillis(1)));
        }
        assertEquals(List.of("a", "a"), asked);
        resolver = Optional.of(hosts -> Map.of("a", "r"));
        racks.apply("a");
        answer();
        assertEquals(Optional.of("r"), racks.apply("a"));
    }

    @Test
    void areThoseThatTheClusterManagerNames() {
        answer = Map.of("a", "of-resolver", "b", "r");
        racks.apply("a");
        racks.apply("b");
        loop.turn();
        racks.known("a", "of-manager");
        assertEquals(List.of("a"), found);
        answer();
        assertEquals(Optional.of("of-manager"), racks.apply("a"));
        racks.known("b", "moved");
        assertEquals(Optional.of("moved"), racks.apply("b"));
        racks.known("b", "moved");
        assertEquals(List.of("a", "b", "b"), found, "only what has changed");
    }

    @Test
    void needNoResolver() {
        resolver = Optional.empty();
        racks.apply("a");
        loop.turn();
        assertTrue(waiting.isEmpty());
        resolver = Optional.of(hosts -> hosts.stream().collect(Collectors.toMap(host -> host, host -> "r")));
        racks.apply("b");
        resolver = Optional.empty();
        loop.turn();
        assertTrue(waiting.isEmpty(), "its bundle was removed");
        resolver = Optional.of(hosts -> Map.of("b", "r"));
        racks.apply("b");
        answer();
        assertEquals(Optional.of("r"), racks.apply("b"));
    }

    @Test
    void doNotGrowWithLookUps() {
        answer = IntStream.range(0, 10).boxed().collect(Collectors.toMap(host -> "h" + host, host -> "r"));
        for (int look = 0; look < 1_000; look++) {
            racks.apply("h" + look % 10);
        }
        loop.turn();
        answer();
        assertEquals(1, questions.size());
        assertEquals(10, questions.get(0).size());
    }
}
