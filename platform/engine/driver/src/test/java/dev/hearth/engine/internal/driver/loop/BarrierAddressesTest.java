package dev.hearth.engine.internal.driver.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.protocol.DriverProtocol.AddressesAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.AddressesQuestion;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.LaunchTasks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Addresses at which barrier tasks reach one another. */
class BarrierAddressesTest {
    private static final Duration SOON = Duration.ofSeconds(2);

    private final DriverFixture scene = new DriverFixture(Map.of());

    @Test
    void areThoseOfExecutorsAndNotTheirHosts() {
        ScriptedExecutor pod = scene.executor("pod").register("[fd00::7]:1");
        ScriptedExecutor mute = scene.executor("mute").register();
        StagePlan plain = DriverFixture.result(2);
        CompletableFuture<Void> job = scene.begin(new StagePlan(
                StagePlan.RESULT,
                plain.pipeline(),
                plain.inputs(),
                2,
                List.of(),
                plain.placement(),
                true,
                "together",
                "",
                List.of()));
        scene.run(SOON);
        assertTrue(!job.isDone() && pod.orders(LaunchTasks.class).size() == 1);
        LaunchTasks launch = pod.orders(LaunchTasks.class).get(0);
        CompletableFuture<AddressesAnswer> answer = pod.ask(
                        new AddressesQuestion(pod.id, launch.stage(), launch.stageAttempt()), AddressesAnswer.class)
                .toCompletableFuture();
        scene.run(SOON);
        assertEquals(
                Map.of("pod", "fd00::7", "mute", "host-mute"),
                Map.of(
                        answer.join().addresses().get(0).executor(),
                                answer.join().addresses().get(0).host(),
                        answer.join().addresses().get(1).executor(),
                                answer.join().addresses().get(1).host()),
                "an executor that serves nothing has only its host; " + mute.id);
    }
}
