package dev.hearth.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Blocking code in virtual time. */
class SimulatedThreadTest {
    private final Simulation simulation = new Simulation(1);
    private final SimulatedProcess process = simulation.process("one");
    private final List<String> happened = new ArrayList<>();

    @Test
    void letsTheSimulationContinueWhileItBlocks() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        simulation.schedule(Duration.ofSeconds(2), () -> answer.complete("answer"));
        simulation.schedule(Duration.ofSeconds(1), () -> happened.add("other"));
        begin(() -> {
            happened.add("begun");
            SimulatedThread.await(answer);
            happened.add(answer.join() + " after " + simulation.elapsed().toSeconds());
        });
        simulation.run();

        assertEquals(List.of("begun", "other", "answer after 2"), happened);
    }

    @Test
    void schedulesEventsOfTheSimulation() {
        begin(() -> {
            SimulatedThread.await(CompletableFuture.completedFuture("there"));
            simulation.schedule(Duration.ofSeconds(1), () -> happened.add("planned"));
        });
        simulation.run();

        assertEquals(List.of("planned"), happened);
    }

    @Test
    void continuesAfterAFailedAnswer() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        simulation.schedule(
                Duration.ofSeconds(1), () -> answer.completeExceptionally(new IllegalStateException("refused")));
        begin(() -> {
            SimulatedThread.await(answer);
            happened.add(answer.isCompletedExceptionally() ? "failed" : "there");
        });
        simulation.run();

        assertEquals(List.of("failed"), happened);
    }

    @Test
    void endsWithItsProcess() {
        begin(() -> {
            try {
                SimulatedThread.await(new CompletableFuture<>());
                happened.add("went on");
            } finally {
                happened.add("unwound");
            }
        });
        simulation.schedule(Duration.ofSeconds(1), process::crash);
        simulation.run();

        assertEquals(List.of("unwound"), happened);
    }

    @Test
    void keepsWaitingWhileItsProcessIsPaused() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        begin(() -> {
            SimulatedThread.await(answer);
            happened.add("after " + simulation.elapsed().toSeconds());
        });
        simulation.schedule(Duration.ofSeconds(1), () -> process.pauseFor(Duration.ofSeconds(5)));
        simulation.schedule(Duration.ofSeconds(2), () -> answer.complete("answer"));
        simulation.run();

        assertEquals(List.of("after 6"), happened);
    }

    @Test
    void failsTheSimulationWithItsException() {
        begin(() -> {
            throw new IllegalArgumentException("bad");
        });

        AssertionError failure = assertThrows(AssertionError.class, simulation::run);
        assertTrue(String.valueOf(failure.getMessage()).contains("bad"), failure::getMessage);
    }

    @Test
    void refusesToBlockOtherThreads() {
        assertThrows(IllegalStateException.class, () -> SimulatedThread.await(new CompletableFuture<>()));
    }

    private void begin(Runnable body) {
        simulation.schedule(Duration.ZERO, () -> SimulatedThread.run(process, body));
    }
}
