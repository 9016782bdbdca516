package dev.hearth.engine.internal.driver.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.protocol.DriverProtocol.AddressesAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.AddressesQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.BarrierWaitAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.BarrierWaitQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.CommitAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.CommitQuestion;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Stop;
import dev.hearth.spi.error.Failures;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Tests that lost and unknown executors are stopped and released, and that their messages are ignored. */
class LostExecutorsTest {
    private static final Duration SOON = Duration.ofSeconds(2);
    private static final Duration SILENCE = Duration.ofMinutes(3);

    private final DriverFixture scene = new DriverFixture(Map.of("hearth.executor.startTimeout", "20m"));

    @Test
    void stopsAnExecutorThatIsSilentTooLong() {
        ScriptedExecutor sleeping = scene.executor("sleeping").register();
        assertEquals("", sleeping.refusal());
        scene.run(SILENCE);
        assertEquals(List.of("released sleeping"), scene.calls);
        assertEquals(1, sleeping.orders(Stop.class).size(), "the cluster manager may be unable to stop it");
    }

    @Test
    void stopsALostExecutorThatSendsAHeartbeat() {
        ScriptedExecutor sleeping = scene.executor("sleeping").register();
        scene.run(SILENCE);
        sleeping.beat();
        sleeping.succeedUnasked();
        scene.run(SOON);
        assertEquals(3, sleeping.orders(Stop.class).size());
    }

    @Test
    void keepsExecutorsThatSendHeartbeats() {
        ScriptedExecutor awake = scene.executor("awake").register();
        for (int minute = 0; minute < 60; minute++) {
            awake.beat();
            scene.run(Duration.ofMinutes(1));
        }
        assertEquals(List.of(), awake.orders(Stop.class));
        assertEquals(List.of(), scene.calls);
    }

    @Test
    void releasesAStartedExecutorThatNeverRegisters() {
        ScriptedExecutor stuck = scene.executor("stuck");
        ScriptedExecutor slow = scene.executor("slow");
        scene.act(() -> {
            scene.services().listener().started(stuck.id, "host", 1);
            scene.services().listener().started(slow.id, "host", 1);
        });
        scene.run(Duration.ofMinutes(19));
        slow.register();
        assertEquals("", slow.refusal());
        assertEquals(List.of(), scene.calls);
        scene.run(Duration.ofMinutes(2));
        assertEquals(List.of("released stuck"), scene.calls, "the other executor has registered");
        stuck.register();
        assertTrue(stuck.refusal().contains("has given up as lost"), stuck.refusal());
    }

    @Test
    void deniesCommitsToLostExecutors() {
        ScriptedExecutor live = scene.executor("live").register();
        ScriptedExecutor stranger = scene.executor("stranger").connect();
        CompletableFuture<Void> job = scene.begin(DriverFixture.result(2));
        assertFalse(job.isDone());
        CommitQuestion ofStranger = new CommitQuestion(stranger.id, 0, 0, 0, 7);
        CommitQuestion inTheNameOfAnother = new CommitQuestion(live.id, 0, 0, 0, 7);
        assertFalse(answer(stranger.ask(ofStranger, CommitAnswer.class)).may());
        assertFalse(answer(stranger.ask(inTheNameOfAnother, CommitAnswer.class)).may());
        assertTrue(answer(live.ask(new CommitQuestion(live.id, 0, 0, 0, 0), CommitAnswer.class))
                .may());
        assertEquals(2, stranger.orders(Stop.class).size());
        assertEquals(List.of(), live.orders(Stop.class));
    }

    @Test
    void failsBarrierCallsOfLostExecutors() {
        ScriptedExecutor stranger = scene.executor("stranger").connect();
        CompletionStage<BarrierWaitAnswer> meeting =
                stranger.ask(new BarrierWaitQuestion(stranger.id, 0, 0, 0, 1, 0, false, ""), BarrierWaitAnswer.class);
        CompletionStage<AddressesAnswer> places =
                stranger.ask(new AddressesQuestion(stranger.id, 0, 0), AddressesAnswer.class);
        for (CompletionStage<?> requested : List.of(meeting, places)) {
            CompletionException failure = assertThrows(CompletionException.class, () -> answer(requested));
            HearthException refusal = (HearthException) Failures.unwrap(failure);
            assertEquals("BARRIER_FAILED", refusal.code(), refusal::getMessage);
            assertTrue(String.valueOf(refusal.getMessage()).contains("given it up as lost"), refusal::getMessage);
        }
    }

    private <A> A answer(CompletionStage<A> requested) {
        CompletableFuture<A> answer = requested.toCompletableFuture();
        assertTrue(scene.simulation.runUntil(answer::isDone, SOON), "an answer");
        return answer.join();
    }
}
