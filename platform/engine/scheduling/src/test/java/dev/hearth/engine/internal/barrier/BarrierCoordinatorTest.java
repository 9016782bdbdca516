package dev.hearth.engine.internal.barrier;

import static dev.hearth.engine.internal.barrier.BarrierCall.Kind.ALL_GATHER;
import static dev.hearth.engine.internal.barrier.BarrierCall.Kind.BARRIER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.barrier.BarrierAnswer.Refused;
import dev.hearth.engine.internal.barrier.BarrierAnswer.Released;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import dev.hearth.spi.error.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BarrierCoordinatorTest {
    private static final TaskSetId SET = new TaskSetId(4, 1);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final long START = -5;

    private final BarrierCoordinator rounds = new BarrierCoordinator(TIMEOUT);
    private long requests;

    @BeforeEach
    void open() {
        rounds.opened(SET, 3);
    }

    @Test
    void releasesAllWhenTheLastHasCalled() {
        call(0, BARRIER, "");
        call(2, BARRIER, "");
        assertEquals(List.of(), rounds.drain());
        call(1, BARRIER, "");
        assertEquals(
                List.of(new Released(0, List.of()), new Released(2, List.of()), new Released(1, List.of())),
                rounds.drain());
        assertEquals(OptionalLong.empty(), rounds.nextWakeNanos());
    }

    @Test
    void gathersMessagesInPartitionOrderRoundByRound() {
        for (String round : List.of("x", "y")) {
            call(2, ALL_GATHER, round + "c");
            call(0, ALL_GATHER, round + "a");
            call(1, ALL_GATHER, round + "b");
            List<BarrierAnswer> answers = rounds.drain();
            assertEquals(3, answers.size());
            answers.forEach(answer ->
                    assertEquals(List.of(round + "a", round + "b", round + "c"), ((Released) answer).messages()));
        }
        call(0, BARRIER, "");
        rounds.ended(SET, 2);
        assertTrue(refusals().get(0).contains("round 3"));
    }

    static Stream<Arguments> flaws() {
        return Stream.of(
                flaw("called twice", test -> test.call(0, BARRIER, "")),
                flaw("called ALL_GATHER and that of partition 0 BARRIER", test -> test.call(1, ALL_GATHER, "")),
                flaw("partition 1 ended while 1 waited", test -> test.rounds.ended(SET, 1)),
                flaw("partition 0 ended while 1 waited", test -> test.rounds.ended(SET, 0)),
                flaw("partition 7 is not of this stage", test -> test.call(7, BARRIER, "")),
                flaw(
                        "sent 1048577 characters",
                        test -> test.call(1, BARRIER, "x".repeat(BarrierCoordinator.MESSAGE_CHARS_MAX + 1))),
                flaw(
                        "hearth.barrier.sync.timeout=60s, the task of partition 1 did not call",
                        test -> test.rounds.tick(START + TIMEOUT.toNanos())));
    }

    private static Arguments flaw(String words, Consumer<BarrierCoordinatorTest> action) {
        return Arguments.of(words, action);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("flaws")
    void failsForAllWithTheReason(String words, Consumer<BarrierCoordinatorTest> action) {
        call(0, BARRIER, "");
        assertEquals(OptionalLong.of(START + TIMEOUT.toNanos()), rounds.nextWakeNanos());
        rounds.tick(START + TIMEOUT.toNanos() - 1);
        action.accept(this);
        List<String> first = refusals();
        assertTrue(!first.isEmpty());
        first.forEach(message -> assertTrue(message.contains(words), message));
        call(2, BARRIER, "");
        assertEquals(List.of(first.get(0)), refusals(), "and for later calls");
        rounds.over(SET);
        assertEquals(List.of(), rounds.drain());
        assertEquals(OptionalLong.empty(), rounds.nextWakeNanos());
    }

    @Test
    void refusesCallsAfterATaskHasEnded() {
        rounds.ended(SET, 1);
        call(0, BARRIER, "");
        assertTrue(refusals().get(0).contains("partition 1 has ended"));
    }

    @Test
    void answersARetriedCallOnce() {
        call(0, BARRIER, "");
        rounds.call(new BarrierCall(0, SET, 0, BARRIER, ""), START);
        call(1, BARRIER, "");
        call(2, BARRIER, "");
        assertEquals(3, rounds.drain().size());
    }

    @Test
    void boundsTheMessagesOfARound() {
        rounds.opened(SET, 20);
        String message = "x".repeat(BarrierCoordinator.MESSAGE_CHARS_MAX);
        for (int partition = 0; partition < 16; partition++) {
            call(partition, ALL_GATHER, message);
        }
        assertEquals(List.of(), rounds.drain());
        call(16, ALL_GATHER, "x");
        assertEquals(17, refusals().size());
    }

    @Test
    void refusesWaitingAndLateCallsOnceTheAttemptIsOver() {
        call(0, BARRIER, "");
        rounds.over(SET);
        call(1, BARRIER, "");
        List<String> refusals = refusals();
        assertEquals(2, refusals.size());
        refusals.forEach(message -> assertTrue(message.contains("is over"), message));
    }

    @Test
    void boundsEachRoundByItself() {
        String message = "x".repeat(BarrierCoordinator.MESSAGE_CHARS_MAX);
        for (int round = 0; round < 8; round++) { // 24 messages in all
            for (int partition = 0; partition < 3; partition++) {
                call(partition, ALL_GATHER, message);
            }
        }
        assertEquals(
                24, rounds.drain().stream().filter(Released.class::isInstance).count());
    }

    @Test
    void countsTheTimeoutFromTheFirstCallOfTheRound() {
        long second = Duration.ofSeconds(1).toNanos();
        rounds.call(new BarrierCall(1, SET, 0, BARRIER, ""), START);
        rounds.call(new BarrierCall(2, SET, 1, BARRIER, ""), START + 59 * second);
        assertEquals(OptionalLong.of(START + TIMEOUT.toNanos()), rounds.nextWakeNanos());
        rounds.tick(START + TIMEOUT.toNanos());
        assertEquals(2, refusals().size());
    }

    @Test
    void startsTheTimeoutOfEachRoundAnew() {
        long second = Duration.ofSeconds(1).toNanos();
        for (int partition = 0; partition < 3; partition++) {
            rounds.call(new BarrierCall(partition, SET, partition, BARRIER, ""), START + 50 * second);
        }
        assertEquals(3, rounds.drain().size());
        rounds.call(new BarrierCall(3, SET, 0, BARRIER, ""), START + 55 * second);
        rounds.tick(START + 61 * second);
        assertEquals(List.of(), rounds.drain());
        assertEquals(OptionalLong.of(START + 115 * second), rounds.nextWakeNanos());
    }

    private void call(int partition, BarrierCall.Kind kind, String message) {
        rounds.call(new BarrierCall(requests++, SET, partition, kind, message), START);
    }

    private List<String> refusals() {
        return rounds.drain().stream()
                .map(answer -> ((Refused) answer).failure())
                .peek(failure -> assertEquals(ErrorCode.BARRIER_FAILED.name(), failure.code()))
                .map(failure -> String.valueOf(failure.getMessage()))
                .toList();
    }
}
