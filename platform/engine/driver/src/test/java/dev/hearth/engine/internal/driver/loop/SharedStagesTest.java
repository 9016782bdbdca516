package dev.hearth.engine.internal.driver.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.function.MapFunction;
import dev.hearth.engine.internal.closure.CapturedFunction;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskInput;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DefineStage;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.net.Bytes;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests jobs that share a shuffle: its stage runs the plan of the first job as long as any job needs it. */
class SharedStagesTest {
    private static final int MAPS = 100;

    private final DriverFixture scene = new DriverFixture(Map.of("hearth.rpc.message.maxSize", "1m"));

    private boolean isSerialised(StagePlan plan) {
        return scene.driver.remoteStages().find(plan).isPresent();
    }

    private static void assertDone(CompletableFuture<Void> job) {
        assertTrue(job.isDone(), "the job is done");
        job.join();
    }

    @Test
    void sendsTheStageOfACancelledJobToALaterExecutor() {
        ScriptedExecutor early = scene.executor("early").register();
        StagePlan brought = DriverFixture.map(1, MAPS);
        CompletableFuture<Void> first = scene.begin(brought, DriverFixture.result(1, 1));
        CompletableFuture<Void> second = scene.begin(DriverFixture.map(1, MAPS), DriverFixture.result(1, 1));
        scene.act(() -> scene.driver.cancellations().job(0, "not needed"));
        DriverFixture.assertFailed("JOB_CANCELLED", first);
        assertTrue(isSerialised(brought), "the other job still runs it");

        ScriptedExecutor late = scene.executor("late").register();
        assertEquals(1, late.orders(DefineStage.class).size());
        for (int round = 0; round < MAPS && !second.isDone(); round++) {
            late.succeedAll();
            early.succeedAll();
        }
        assertDone(second);
        assertEquals(List.of(), scene.calls);
        assertFalse(isSerialised(brought), "no job needs it any more");
    }

    @Test
    void sendsTheStageOfACompletedJobToTheExecutorThatRunsItAgain() {
        ScriptedExecutor early = scene.executor("early").register();
        StagePlan brought = DriverFixture.map(1, 2);
        CompletableFuture<Void> first = scene.begin(brought, DriverFixture.result(1, 1));
        CompletableFuture<Void> second = scene.begin(DriverFixture.map(1, 2), DriverFixture.result(1, 1));
        early.succeedAll(0);
        early.succeedAll(1);
        assertDone(first);
        assertFalse(second.isDone());

        scene.act(() -> scene.services().listener().lost(early.id, LostExecutor.because("killed")));
        ScriptedExecutor late = scene.executor("late").register();
        late.succeedAll();
        assertDone(second);
        assertEquals(2, late.orders(DefineStage.class).size());
        assertEquals(List.of(), scene.calls);
        assertFalse(isSerialised(brought), "no job needs it any more");
    }

    @Test
    void keepsNoStageOfAJobThatCannotBeSerialised() {
        scene.executor("only").register();
        StagePlan small = DriverFixture.map(1, 1);
        byte[] large = new byte[2 << 20];
        MapFunction<Integer, Integer> holding = number -> large.length;
        CapturedFunction function = CapturedFunction.of(holding, scene.driver.objects(), "function");
        StagePlan unwritable = DriverFixture.stage(StagePlan.RESULT, 1, PartitionInputs.NONE, function, 1);
        HearthException refusal = assertThrows(HearthException.class, () -> scene.begin(small, unwritable));
        assertEquals("MESSAGE_TOO_LARGE", refusal.code());
        assertFalse(isSerialised(small), "its job was never submitted");
    }

    @Test
    void failsAJobWhoseInputIsTooLargeForAMessageAndRunsTheNext() {
        ScriptedExecutor only = scene.executor("only").register();
        TaskInput large = new TaskInput.Encoded(Bytes.owning(new byte[2 << 20]));
        StagePlan plan = DriverFixture.stage(StagePlan.RESULT, 1, partition -> large);
        DriverFixture.assertFailed("MESSAGE_TOO_LARGE", scene.begin(plan));
        CompletableFuture<Void> next = scene.begin(DriverFixture.result(1));
        only.succeedAll();
        assertDone(next);
        assertEquals(List.of(), scene.calls);
    }

    @Test
    void endsTheApplicationAfterABugAndChargesNoExecutor() {
        scene.executor("one").register();
        scene.executor("two").register();
        StagePlan plan = DriverFixture.stage(StagePlan.RESULT, 4, partition -> {
            throw new IllegalStateException("as if");
        });
        DriverFixture.assertFailed("INTERNAL", scene.begin(plan));
        assertEquals(List.of("closed FAILED"), scene.calls);
    }
}
