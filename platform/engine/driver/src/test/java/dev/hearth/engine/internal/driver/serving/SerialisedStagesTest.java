package dev.hearth.engine.internal.driver.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.closure.CapturedFunction;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.plan.JobPlan;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.PreferredLocations;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.Source;
import dev.hearth.engine.internal.plan.StagePlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests that serialised stages exist while any job needs them. */
class SerialisedStagesTest {
    private static final int SHUFFLE = 3;
    private static final int MESSAGE_BYTES_MAX = 1 << 20;

    private final SerialisedStages stages =
            new SerialisedStages(new UserObjectSerializer(SerialisedStagesTest.class.getClassLoader()));

    SerialisedStagesTest() {
        stages.bound(MESSAGE_BYTES_MAX);
    }

    private static StagePlan stage(int shuffle) {
        return new StagePlan(
                shuffle,
                new Pipeline(
                        new Source.Elements(),
                        List.of(),
                        shuffle < 0
                                ? new Sink.Count()
                                : new Sink.ShuffleWrite(shuffle, 1, CapturedFunction.NONE, Optional.empty()),
                        Map.of()),
                PartitionInputs.NONE,
                1,
                shuffle < 0 ? List.of(SHUFFLE) : List.of(),
                PreferredLocations.ANYWHERE,
                false,
                "stage",
                "",
                List.of());
    }

    private static JobPlan job() {
        return new JobPlan(List.of(stage(SHUFFLE), stage(StagePlan.RESULT)), new int[] {0});
    }

    @Test
    void aStageThatRunsThePlanOfAnEndedJobIsKeptUntilItIsRemoved() {
        JobPlan first = job();
        JobPlan second = job();
        StagePlan followed = first.stages().get(0);
        stages.add(first);
        assertTrue(stages.hold(followed), "the stage is created");
        stages.add(second);
        stages.remove(first);
        assertTrue(stages.find(followed).isPresent(), "the second job needs the plan of the first one");
        assertEquals(Optional.empty(), stages.find(first.result()));
        stages.remove(second);
        assertTrue(stages.find(followed).isPresent(), "its stage still runs");
        stages.release(followed);
        assertEquals(Optional.empty(), stages.find(followed));
        assertEquals(Optional.empty(), stages.find(second.stages().get(0)));
    }

    @Test
    void removingAJobThatWasNotAddedReleasesNothing() {
        JobPlan early = job();
        JobPlan job = job();
        stages.add(job);
        stages.remove(early); // submitted before executors in other processes were possible
        assertTrue(stages.find(job.stages().get(0)).isPresent());
        assertTrue(stages.find(job.result()).isPresent());
    }
}
